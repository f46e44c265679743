package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.IndexInput;
import org.kblake.core.layout.IndexInput.CutException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.TooNewException;

/**
 * The end of an index, found with two small reads. An index of 60,000 records takes long to read,
 * and an archive has thousands of them.
 */
final class IndexEnd {

  private static final int HEAD_BYTES = 256;

  /** A crash may leave the last entry empty or incomplete. */
  private static final int ENTRIES = 4;

  private IndexEnd() {}

  /**
   * Returns whether an index may lead behind the end of its log. If its end shows nothing, it may.
   */
  static boolean mayLeadBehind(Path file, long logBytes, List<LogLayout> layouts)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer head = read(channel, 0, HEAD_BYTES);
      for (LogLayout layout : layouts) {
        ByteOrder order = head.limit() < layout.magicBytes() ? null : layout.recognise(head);
        if (order != null) {
          head.order(order);
          long table = layout.readHeader(new IndexInput(file, head, null)).milestoneTableOffset();
          return mayLeadBehind(channel, layout, order, table, logBytes);
        }
      }
    } catch (CutException | CorruptLogException | TooNewException e) {
      // Opening the pair reports the error.
    }
    return true;
  }

  private static boolean mayLeadBehind(
      FileChannel channel, LogLayout layout, ByteOrder order, long table, long logBytes)
      throws IOException {
    int size = layout.milestoneEntryBytes();
    long entries = Math.max(0, channel.size() - table) / size;
    if (entries == 0) {
      return false;
    }
    int last = (int) Math.min(ENTRIES, entries);
    ByteBuffer bytes = read(channel, table + (entries - last) * size, last * size);
    IndexFile end = new IndexFile(layout, order, new RecordTable(List.of()), bytes.order(order), 0);
    int written = end.milestoneEntries();
    return written == 0 || LostMilestones.firstEntry(end, logBytes) < written;
  }

  private static ByteBuffer read(FileChannel channel, long offset, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) >= 0) {
      // reads until the end of the file
    }
    return buffer.flip();
  }
}
