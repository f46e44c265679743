package org.kblake.ingest.internal.live.state;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The times of the last operation of one kind on each block, kept in a file. Each line has
 * milliseconds since 1970 UTC and the block's directory in the store. A block without a line has
 * the time when it was made. For one thread.
 */
public final class BlockTimes {

  private static final long WRITE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path store;
  private final Path file;
  private final Map<Path, Long> millis = new TreeMap<>();
  private boolean changed;
  private long writtenNanos = System.nanoTime();

  /**
   * @param file in an existing directory
   */
  public BlockTimes(Path store, Path file) throws IOException {
    this.store = store;
    this.file = file;
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        read(line.split(" ", 2));
      }
    } catch (NoSuchFileException e) {
      // No time was written yet.
    }
  }

  private void read(String[] words) {
    try {
      if (words.length == 2) {
        millis.put(store.resolve(words[1]), Long.parseLong(words[0]));
      }
    } catch (IllegalArgumentException e) {
      // A power cut may leave a partial line.
    }
  }

  public void set(Path block, long atMillis) {
    millis.merge(block, atMillis, Math::max);
    changed = true;
  }

  /**
   * Returns the time of the last operation in milliseconds since 1970 UTC. Returns {@link
   * Long#MAX_VALUE} for a block that was just removed, so that it is never due.
   */
  public long atMillis(Path block) throws IOException {
    Long known = millis.get(block);
    if (known != null) {
      return known;
    }
    try {
      return Files.getLastModifiedTime(block).toMillis();
    } catch (NoSuchFileException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Writes the file, unless the last write was less than a minute ago. */
  public void writeIfDue() throws IOException {
    if (System.nanoTime() - writtenNanos >= WRITE_NANOS) {
      write();
    }
  }

  /** Writes the file; entries of removed blocks are dropped. */
  public void write() throws IOException {
    if (!changed) {
      return;
    }
    millis.keySet().removeIf(Files::notExists);
    List<String> lines = new ArrayList<>();
    millis.forEach((block, at) -> lines.add(at + " " + store.relativize(block)));
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    // A symbolic link at this path is replaced, not followed.
    Files.deleteIfExists(temporary);
    Files.write(
        temporary,
        lines,
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    changed = false;
    writtenNanos = System.nanoTime();
  }
}
