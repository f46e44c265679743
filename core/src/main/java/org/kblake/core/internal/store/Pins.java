package org.kblake.core.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.block.Trash;
import org.kblake.core.model.Group;

/**
 * Groups whose blocks are not to be evicted: the files {@code pins/SYSTEM/GROUP}, each with the
 * time (ISO 8601, UTC) up to which it holds, or {@link #FOREVER}. Anybody who may write there may
 * pin, beside the one writer.
 */
public final class Pins {

  static final String DIRECTORY = "pins";

  /** What a pin without end says. */
  public static final Instant FOREVER = Instant.parse("9999-12-31T00:00:00Z");

  private final Path directory;

  public Pins(Path store) {
    directory = store.resolve(DIRECTORY);
  }

  /** Pins a group up to a time; a pin that it has is replaced. */
  public void pin(Group group, Instant until) throws IOException {
    Path file = file(group);
    Files.createDirectories(directory.resolve(group.system()));
    Path temporary = file.resolveSibling("." + group.name() + "." + ProcessHandle.current().pid());
    Files.writeString(temporary, until + "\n");
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Takes a group's pin away.
   *
   * @return whether it had one
   */
  public boolean unpin(Group group) throws IOException {
    return Files.deleteIfExists(file(group));
  }

  /** The groups that are pinned now, and until when. A pin that cannot be read holds. */
  public Map<Group, Instant> at(Instant now) throws IOException {
    Map<Group, Instant> pins = new TreeMap<>();
    for (Path system : Trash.list(directory)) {
      for (Path file : Trash.list(system)) {
        String name = String.valueOf(file.getFileName());
        Instant until = name.startsWith(".") ? null : until(file);
        if (until != null && until.isAfter(now)) {
          pins.put(new Group(String.valueOf(system.getFileName()), name), until);
        }
      }
    }
    return pins;
  }

  private static @Nullable Instant until(Path file) throws IOException {
    try {
      return Instant.parse(Files.readString(file).strip());
    } catch (DateTimeException e) {
      return FOREVER;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private Path file(Group group) {
    return directory.resolve(group.system()).resolve(group.name());
  }
}
