package org.kblake.record.standby;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.record.log.StampsFile;

/** Whether another recorder writes a group, by the times in its stamps. For one thread. */
public final class OtherFiles {

  private static final long LOOK_NANOS = 5_000_000_000L;

  private final Path directory;
  private final String group;
  private Map<String, Long> seen = Map.of();
  private boolean hasLooked;
  private long lookedNanos;

  public OtherFiles(Path root, Group group) {
    directory = root.resolve(group.system());
    this.group = group.name();
  }

  /**
   * Returns whether stamps have been written since the look before. Looks at most each 5 s.
   *
   * @param nowNanos of the monotonic clock
   */
  public boolean haveChanged(long nowNanos) {
    if (hasLooked && nowNanos - lookedNanos < LOOK_NANOS) {
      return false;
    }
    lookedNanos = nowNanos;
    Map<String, Long> now = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.stamps")) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        PairName pair = StampsFile.pair(name);
        if (pair != null && pair.group().equals(group)) {
          now.put(name, StampsFile.writtenNanos(file));
        }
      }
    } catch (IOException | RuntimeException e) {
      return false; // it may be removed at this moment
    }
    boolean haveChanged = hasLooked && !now.equals(seen);
    seen = now;
    hasLooked = true;
    return haveChanged;
  }
}
