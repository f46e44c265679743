package org.kblake.record.importing.appliance;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.record.importing.ImportReport;
import org.kblake.record.importing.ImportReport.Kind;
import org.kblake.record.importing.ImportSource;
import org.kblake.record.importing.LeftOut;
import org.kblake.record.importing.SourceChannel;
import org.kblake.record.importing.SourceEvent;
import org.kblake.record.source.TimedLayout;

/**
 * The events of all files of some channels, merged into one order. Each channel has one open file
 * at a time as long as its files do not overlap; few of them are really open.
 */
public final class ApplianceSource implements ImportSource {

  /** Times of a log are after this one, and before {@link #END_SECONDS}: seconds since 1970. */
  static final long FIRST_SECONDS = TimedLayout.EPOCH_SECONDS;

  static final long END_SECONDS = FIRST_SECONDS + (1L << 32);

  private static final int BUFFERS_BYTES = 64 << 20;
  private static final int LEAST_BUFFER_BYTES = 1 << 11;
  private static final int MOST_BUFFER_BYTES = 1 << 16;

  private final List<PbChannel> chosen;
  private final List<SourceChannel> channels;

  /** The file of each channel that is next to be opened: only it is in the queue. */
  private final int[] unopened;

  private final TimeRange range;
  private final long countedNanos;
  private final ImportReport report;
  private final OpenFiles files = new OpenFiles();
  private final PriorityQueue<Merged> queue =
      new PriorityQueue<>(
          Comparator.comparingLong((Merged each) -> each.orderNanos)
              .thenComparingInt(each -> each.channel)
              .thenComparingInt(each -> each.number));
  private final @Nullable SourceEvent[] lastEvents;
  private final int[] lastNumbers;
  private final int bufferBytes;
  private long orderNanos = Long.MIN_VALUE;
  private long work;

  /** A file in the order of its next event. Its cursor is opened when it is its turn. */
  private static final class Merged {
    final PbFile file;
    final int channel;
    final int number;
    long orderNanos;
    long offset;
    @Nullable PbCursor cursor;

    Merged(PbFile file, int channel, int number) {
      this.file = file;
      this.channel = channel;
      this.number = number;
      orderNanos = file.firstNanos();
    }
  }

  /**
   * @param range a file is not read from its end on
   * @param countedNanos what is left out up to this place of the order is not counted
   */
  public ApplianceSource(
      List<PbChannel> chosen, TimeRange range, long countedNanos, ImportReport report) {
    this.chosen = chosen;
    this.range = range;
    this.countedNanos = countedNanos;
    this.report = report;
    channels = chosen.stream().map(PbChannel::asSource).toList();
    lastEvents = new SourceEvent[chosen.size()];
    lastNumbers = new int[chosen.size()];
    int each = BUFFERS_BYTES / Math.max(1, chosen.size());
    bufferBytes = Math.min(MOST_BUFFER_BYTES, Math.max(LEAST_BUFFER_BYTES, each));
    unopened = new int[chosen.size()];
    for (int channel = 0; channel < unopened.length; channel++) {
      addNext(channel);
    }
  }

  /** Adds a channel's next file, which begins no earlier than those before it. */
  private void addNext(int channel) {
    List<PbFile> ofChannel = chosen.get(channel).files();
    int number = unopened[channel]++;
    if (number < ofChannel.size()) {
      queue.add(new Merged(ofChannel.get(number), channel, number));
    }
  }

  @Override
  public List<SourceChannel> channels() {
    return channels;
  }

  @Override
  public long work() {
    return work;
  }

  @Override
  public @Nullable SourceEvent next() throws IOException {
    Merged first = queue.poll();
    while (first != null) {
      SourceEvent event = take(first);
      if (event != null && !isDouble(event, first.number)) {
        orderNanos = Math.max(orderNanos, event.orderNanos());
        return event.at(orderNanos);
      }
      first = queue.poll();
    }
    return null;
  }

  /** Takes the next event of a file, or only opens it. */
  private @Nullable SourceEvent take(Merged merged) throws IOException {
    PbCursor cursor = merged.cursor;
    SourceEvent event = null;
    if (cursor == null) {
      addNext(merged.channel);
      cursor = open(merged);
      merged.cursor = cursor;
    } else {
      event = cursor.head();
    }
    cursor.advance();
    work += cursor.offset() - merged.offset;
    merged.offset = cursor.offset();
    SourceEvent head = cursor.head();
    if (head == null || head.orderNanos() >= range.toNanos()) {
      merged.cursor = null;
      if (head != null) {
        countBehind(merged.file, cursor, head);
      }
      files.close(merged.file.path());
      work += merged.file.bytes() - merged.offset;
    } else {
      merged.orderNanos = head.orderNanos();
      queue.add(merged);
    }
    return event;
  }

  /** Counts the values of the range that are behind one of a later time: a clock was ahead. */
  private void countBehind(PbFile file, PbCursor cursor, SourceEvent later) throws IOException {
    PbCursor rest = cursor.rest();
    long values = 0;
    for (rest.advance(); rest.head() != null; rest.advance()) {
      SourceEvent event = Objects.requireNonNull(rest.head());
      if (event.state() == EventState.VALUE && range.contains(event.nanos())) {
        report.count(Kind.LATER);
        values++;
      }
    }
    if (values > 0) {
      report.print(
          "values before --to are behind one that is later: file="
              + file.path()
              + ", later by seconds="
              + (later.orderNanos() - range.toNanos()) / 1_000_000_000
              + ", values="
              + values);
    }
  }

  private PbCursor open(Merged merged) throws IOException {
    PbLines lines = new PbLines(files, merged.file.path(), bufferBytes);
    try {
      PbHeader header = PbTree.header(lines);
      return new PbCursor(
          merged.file.path(), merged.channel, lines, header, new LeftOut(report, countedNanos));
    } catch (MalformedSampleException e) {
      throw new RequestException(
          "file was changed while it was imported; begin again: file=" + merged.file.path());
    }
  }

  /** Returns whether an event is the same as the channel's last one, and of another file. */
  private boolean isDouble(SourceEvent event, int number) {
    SourceEvent last = lastEvents[event.channel()];
    boolean isSame =
        last != null
            && lastNumbers[event.channel()] != number
            && last.nanos() == event.nanos()
            && last.state() == event.state()
            && last.severity() == event.severity()
            && last.status() == event.status()
            && last.type() == event.type()
            && Arrays.equals(last.value(), event.value());
    if (isSame) {
      if (event.nanos() > countedNanos) {
        report.count(Kind.DOUBLE);
      }
      return true;
    }
    lastEvents[event.channel()] = event;
    lastNumbers[event.channel()] = number;
    return false;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
