package org.kblake.core.internal.log.inspect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.IoReasons;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.ForeignFileException;
import org.kblake.core.layout.ForeignKind;
import org.kblake.core.layout.IndexInput;
import org.kblake.core.layout.IndexInput.CutException;
import org.kblake.core.layout.LogLayout;

/** Shows an index up to its milestone table while it is decoded. */
final class IndexInspection implements IndexInput.Listener {

  private static final int HEADER = -1;

  private final Path file;
  private final boolean closed;
  private final InspectionLimits limits;
  private final ArchiveSettings settings;
  private final InspectionListener listener;

  private ByteBuffer bytes = ByteBuffer.allocate(0);
  private int record = HEADER;

  /** Fields of a record beyond the limit. They are shown if this record is found to be damaged. */
  private final List<Runnable> unshown = new ArrayList<>();

  private long shownEndOffset;

  IndexInspection(
      Path file,
      boolean closed,
      InspectionLimits limits,
      ArchiveSettings settings,
      InspectionListener listener) {
    this.file = file;
    this.closed = closed;
    this.limits = limits;
    this.settings = settings;
    this.listener = listener;
  }

  /**
   * @return null if header or record table are damaged or cut
   */
  @Nullable IndexFile run() throws IOException {
    begin();
    try {
      bytes = IndexFile.read(file, FileAccess.WAITING);
      listener.fact("bytes", Integer.toString(bytes.limit()));
      listener.heading("header");
      IndexFile index = IndexFile.decode(file, bytes, settings.layouts(), !closed, this);
      int records = index.records().size();
      listener.counted("records", Math.min(records, limits.records()), records);
      showGap(index);
      return index;
    } catch (CutException e) {
      unshown.forEach(Runnable::run);
      listener.damage(
          "index ends too early: file="
              + file
              + ", offset="
              + bytes.limit()
              + ", found the end of the data, expected the rest of its records; "
              + (closed ? "restore the file from a copy" : "try again later"));
      return null;
    } catch (CorruptLogException e) {
      unshown.forEach(Runnable::run);
      listener.damage(e.problem());
      return null;
    }
  }

  /** Reads only the first bytes, because a file that is no index may have any size. */
  private void begin() throws IOException {
    int most = ShownBytes.MOST;
    for (LogLayout layout : settings.layouts()) {
      most = Math.max(most, layout.magicBytes());
    }
    ByteBuffer first = firstBytes(most);
    boolean tooShort = false;
    for (LogLayout layout : settings.layouts()) {
      if (first.limit() < layout.magicBytes()) {
        tooShort = true;
        continue;
      }
      ByteOrder order = layout.recognise(first);
      if (order != null) {
        reportFile();
        listener.fact("layout", layout.name());
        listener.fact("byte order", order == ByteOrder.BIG_ENDIAN ? "big-endian" : "little-endian");
        return;
      }
    }
    String hex = ShownBytes.of(first, 0, 0, first.limit()).hex();
    ForeignKind kind = ForeignKind.of(hex);
    boolean zero = first.mismatch(ByteBuffer.allocate(first.limit())) < 0;
    // Bytes that are not written yet may be missing, or zero.
    if (kind != ForeignKind.UNKNOWN || !tooShort && !zero) {
      throw new ForeignFileException(file, hex, kind, IndexFile.magics(settings.layouts()));
    }
    reportFile();
  }

  private void reportFile() {
    listener.heading("index");
    listener.fact("file", file.toString());
  }

  private ByteBuffer firstBytes(int most) throws IOException {
    ByteBuffer first = ByteBuffer.allocate(most);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (first.hasRemaining() && channel.read(first) >= 0) {}
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new UnavailableException("file cannot be inspected", file, IoReasons.of(file, e), e);
    }
    return first.flip();
  }

  /** Shows bytes between records and milestone table that have no field in the layout. */
  private void showGap(IndexFile index) {
    long end = Math.min(index.milestoneTableOffset(), bytes.limit());
    if (end > shownEndOffset) {
      showField("unused", shownEndOffset, (int) (end - shownEndOffset), "");
    }
  }

  @Override
  public void record(int number) {
    if (record == HEADER) {
      listener.heading("records");
    }
    record = number;
    unshown.clear();
    showOrKeep(() -> listener.structure("record " + number));
  }

  @Override
  public void field(String name, long offset, int count, String text) {
    shownEndOffset = offset + count;
    showOrKeep(() -> showField(name, offset, count, text));
  }

  private void showOrKeep(Runnable show) {
    if (record < limits.records()) {
      show.run();
    } else {
      unshown.add(show);
    }
  }

  private void showField(String name, long offset, int count, String text) {
    listener.field(ShownBytes.of(bytes, (int) offset, offset, count), name, text);
  }

  /** Shows milestone entries without comparing them with the log, which is missing. */
  static void showMilestones(
      IndexFile index, InspectionLimits limits, InspectionListener listener) {
    new MilestoneEntries(index, listener).show(limits.milestones(), entry -> {});
  }
}
