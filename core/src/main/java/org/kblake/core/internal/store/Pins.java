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
 * The groups whose blocks must not be evicted. The file {@code pins/SYSTEM/GROUP} contains the end
 * of the pin (ISO 8601, UTC), or {@link #FOREVER}. Every process that may write this directory may
 * pin a group, not only the writer of the store.
 */
public final class Pins {

  static final String DIRECTORY = "pins";

  /** The end of a pin without an end. */
  public static final Instant FOREVER = Instant.parse("9999-12-31T00:00:00Z");

  private final Path directory;

  public Pins(Path store) {
    directory = store.resolve(DIRECTORY);
  }

  /** Pins a group until a time. An existing pin is replaced. */
  public void pin(Group group, Instant until) throws IOException {
    Path file = file(group);
    Files.createDirectories(directory.resolve(group.system()));
    Path temporary = file.resolveSibling("." + group.name() + "." + ProcessHandle.current().pid());
    Files.writeString(temporary, until + "\n");
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Removes a group's pin.
   *
   * @return whether it had one
   */
  public boolean unpin(Group group) throws IOException {
    return Files.deleteIfExists(file(group));
  }

  /**
   * Returns the groups that are pinned at a time, and the end of each pin. A pin whose contents are
   * not a time has no end.
   */
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
