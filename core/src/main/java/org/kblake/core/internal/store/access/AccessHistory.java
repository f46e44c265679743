package org.kblake.core.internal.store.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.store.file.UnixFile;

/**
 * The latest access records that the writer collected, as lines of {@link Access}. They show which
 * budget a store needs. New lines are appended to {@code access/history}. When this file is full,
 * it replaces {@code access/history.older}.
 */
public final class AccessHistory {

  /** The size of a file. A line has about 100 bytes. */
  private static final int MAX_BYTES = 8 << 20;

  private final Path file;
  private final Path older;
  private final int mostBytes;

  public AccessHistory(Path store) {
    this(store, MAX_BYTES);
  }

  /**
   * @param mostBytes the size of a file
   */
  AccessHistory(Path store, int mostBytes) {
    file = new AccessDirectory(store).path().resolve("history");
    older = file.resolveSibling("history.older");
    this.mostBytes = mostBytes;
  }

  /**
   * Appends records. Only the writer of the store calls this. If there are more records than a file
   * holds, the first ones are dropped.
   */
  public void add(List<Access> accesses) throws IOException {
    if (accesses.isEmpty()) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    for (Access each : accesses) {
      lines.append(each.text()).append('\n');
    }
    int cut = lines.length() <= mostBytes ? 0 : lines.indexOf("\n", lines.length() - mostBytes) + 1;
    byte[] bytes = lines.substring(cut).getBytes(StandardCharsets.ISO_8859_1);
    UnixFile found = UnixFile.of(file);
    if (found != null && !found.isPlainFileOf(UnixFile.ANY_USER)) {
      Files.delete(file);
    } else if (found != null && Files.size(file) + bytes.length > mostBytes) {
      Files.move(file, older, StandardCopyOption.ATOMIC_MOVE);
    }
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND,
            LinkOption.NOFOLLOW_LINKS)) {
      channel.write(ByteBuffer.wrap(bytes));
    }
  }

  /** Returns the records in the order in which they were collected. Invalid lines are skipped. */
  public List<Access> read() throws IOException {
    List<Access> accesses = new ArrayList<>();
    for (Path each : new Path[] {older, file}) {
      try {
        for (String line : Files.readAllLines(each, StandardCharsets.ISO_8859_1)) {
          Access access = Access.parse(line);
          if (access != null) {
            accesses.add(access);
          }
        }
      } catch (NoSuchFileException e) {
        // No records were collected yet, or all are in the newer file.
      }
    }
    return accesses;
  }
}
