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
 * When something was last done to each block: a file with a line each of milliseconds since 1970
 * UTC and the block's directory in the store. What the file does not say was done when the block
 * was made. For one thread.
 */
public final class BlockTimes {

  private static final long WRITE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path store;
  private final Path file;
  private final Map<Path, Long> millis = new TreeMap<>();
  private boolean changed;
  private long writtenNanos = System.nanoTime();

  /**
   * @param file in a directory that is there
   */
  public BlockTimes(Path store, Path file) throws IOException {
    this.store = store;
    this.file = file;
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        read(line.split(" ", 2));
      }
    } catch (NoSuchFileException e) {
      // Nothing was done yet.
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

  public void set(Path block, long atMillis) {
    millis.merge(block, atMillis, Math::max);
    changed = true;
  }

  /**
   * When it was last done, milliseconds since 1970 UTC; {@link Long#MAX_VALUE} of a block that went
   * a moment ago, for which it is never time.
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

  /** Writes the file, if that was not done just now. */
  public void writeNowAndThen() throws IOException {
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
    // A link that somebody has put there is replaced, not followed.
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
