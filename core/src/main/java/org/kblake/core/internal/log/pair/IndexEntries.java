package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.IndexInput;
import org.kblake.core.layout.LogLayout;

/** Finds which entries of a growing index point into the bytes that its log has. For one thread. */
public final class IndexEntries {

  /** More than the header of any layout has. */
  private static final int HEADER_BYTES = 256;

  private static final int MAX_BYTES = 1 << 16;
  private static final List<LogLayout> LAYOUTS = LogLayout.installed();

  private final Path file;
  private @Nullable Table table;

  private record Table(LogLayout layout, ByteOrder order, long offset) {}

  /**
   * @param file the index, for messages
   */
  public IndexEntries(Path file) {
    this.file = file;
  }

  /**
   * Returns up to where an index may be sent.
   *
   * @param from up to where it was sent
   * @param to the size of the index
   * @param logBytes the size of the log, which was looked at later
   */
  public long end(FileChannel index, long from, long to, long logBytes) throws IOException {
    if (from == to) {
      return to;
    }
    Table known = table(index);
    if (known == null || to <= known.offset()) {
      return to;
    }
    int bytes = known.layout().milestoneEntryBytes();
    long at = known.offset() + Math.max(0, from - known.offset()) / bytes * bytes;
    int count = (int) Math.min((to - at) / bytes, MAX_BYTES / bytes);
    ByteBuffer entries = ByteBuffer.allocate(count * bytes).order(known.order());
    fill(index, entries, at);
    int sound = 0;
    while (sound < count && isInside(known.layout(), entries, sound * bytes, logBytes)) {
      sound++;
    }
    return Math.max(from, at + (long) sound * bytes);
  }

  private static boolean isInside(LogLayout layout, ByteBuffer entries, int at, long logBytes) {
    return layout.milestoneEntryOffset(entries, at) + layout.eventHeaderBytes() <= logBytes;
  }

  private static void fill(FileChannel index, ByteBuffer buffer, long at) throws IOException {
    while (buffer.hasRemaining() && index.read(buffer, at + buffer.position()) >= 0) {
      // Reads on
    }
  }

  /** Returns where the entries are; null if the index has no header yet, or one of no layout. */
  private @Nullable Table table(FileChannel index) throws IOException {
    if (table == null) {
      ByteBuffer header = ByteBuffer.allocate((int) Math.min(HEADER_BYTES, index.size()));
      fill(index, header, 0);
      table = table(header.flip());
    }
    return table;
  }

  private @Nullable Table table(ByteBuffer header) {
    for (LogLayout layout : LAYOUTS) {
      ByteOrder order =
          header.limit() < layout.magicBytes() ? null : layout.recognise(header.duplicate());
      if (order != null) {
        try {
          ByteBuffer bytes = header.duplicate().order(order);
          IndexInput in = new IndexInput(file, bytes, null);
          return new Table(layout, order, layout.readHeader(in).milestoneTableOffset());
        } catch (IOException e) {
          // Cut or damaged. Its bytes are sent as they are, and readers report them.
          return null;
        }
      }
    }
    return null;
  }
}
