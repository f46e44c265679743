package org.kblake.ingest.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * When blocks were last read: the file {@code access/last-reads}, a line each of milliseconds since
 * 1970 UTC and the block's directory in the store. Without it blocks were last read when they were
 * made. For one thread.
 */
final class LastReads {

  private static final long WRITE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path store;
  private final Path file;
  private final Map<Path, Long> millis = new TreeMap<>();
  private boolean changed;
  private long writtenNanos = System.nanoTime();

  LastReads(Path store) throws IOException {
    this.store = store;
    file = store.resolve("access").resolve("last-reads");
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        read(line.split(" ", 2));
      }
    } catch (NoSuchFileException e) {
      // Nothing was read yet.
    }
  }

  private void read(String[] words) {
    try {
      if (words.length == 2) {
        millis.put(store.resolve(words[1]), Long.parseLong(words[0]));
      }
    } catch (IllegalArgumentException e) {
      // Half a line after a power cut.
    }
  }

  void touch(Path block, long atMillis) {
    millis.merge(block, atMillis, Math::max);
    changed = true;
  }

  /** When a block was last read, or made. */
  long atMillis(Path block) throws IOException {
    Long known = millis.get(block);
    return known == null ? Files.getLastModifiedTime(block).toMillis() : known;
  }

  /** Writes the file, if that was not done just now. */
  void writeNowAndThen() throws IOException {
    if (System.nanoTime() - writtenNanos >= WRITE_NANOS) {
      write();
    }
  }

  /** Writes the file; what blocks are gone is forgotten. */
  void write() throws IOException {
    if (!changed) {
      return;
    }
    millis.keySet().removeIf(block -> !Files.isDirectory(block));
    List<String> lines = new ArrayList<>();
    millis.forEach((block, at) -> lines.add(at + " " + store.relativize(block)));
    Path temporary = file.resolveSibling("last-reads.new");
    Files.write(temporary, lines, StandardCharsets.UTF_8);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    changed = false;
    writtenNanos = System.nanoTime();
  }
}
