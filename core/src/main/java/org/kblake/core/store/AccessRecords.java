package org.kblake.core.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What readers leave for the one writer, who folds it into its policy: lines of {@link Access} in
 * the file {@code access/records}. The directory is there where a writer wants them and readers may
 * write into it; elsewhere nothing is left, and no answer suffers.
 */
public final class AccessRecords {

  /** Without a writer who takes them the records must not fill the disk. */
  private static final long LARGEST_FILE_BYTES = 16 << 20;

  static final String DIRECTORY = "access";

  private final Path directory;
  private final Path records;
  private final Path taken;

  public AccessRecords(Path store) {
    directory = store.resolve(DIRECTORY);
    records = directory.resolve("records");
    taken = directory.resolve("records.taken");
  }

  /** Says that records are wanted. */
  public void want() throws IOException {
    Files.createDirectories(directory);
  }

  /** Leaves records, if they are wanted; what goes wrong is nobody's business. */
  public void leave(List<Access> accesses) {
    // Files.isWritable alone makes an exception where there is no directory.
    if (accesses.isEmpty() || !Files.exists(directory) || !Files.isWritable(directory)) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    for (Access access : accesses) {
      lines.append(access.text()).append('\n');
    }
    // One write in append mode: lines of several processes do not get mixed.
    try (FileChannel channel =
        FileChannel.open(
            records,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      if (channel.size() < LARGEST_FILE_BYTES) {
        channel.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)));
      }
    } catch (IOException e) {
      // The writer knows a little less.
    }
  }

  /**
   * Takes what was left since the last time. A reader that opened the file a moment before may
   * still write into it: so what was put aside is read a call later.
   *
   * @return in the order in which it was left; lines that are none are passed over
   */
  public List<Access> take() throws IOException {
    List<Access> accesses = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(taken, StandardCharsets.ISO_8859_1)) {
        Access access = Access.parse(line);
        if (access != null) {
          accesses.add(access);
        }
      }
      Files.delete(taken);
    } catch (NoSuchFileException e) {
      // Nothing was put aside.
    }
    try {
      Files.move(records, taken, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      // Nothing was left.
    }
    return accesses;
  }
}
