package org.kblake.record.importing.appliance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;
import org.kblake.record.importing.ImportReport.Kind;
import org.kblake.record.importing.LeftOut;
import org.kblake.record.importing.SourceEvent;

/**
 * The events of a file, in order. The times at which a connection was lost and came back, which a
 * sample has besides its value, are events of their own. For one thread.
 */
final class PbCursor {

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int MOST_PENDING = 16;

  private final Path file;
  private final int channel;
  private final PbLines lines;
  private final LeftOut left;
  private final PbSample sample;
  private final PriorityQueue<SourceEvent> connections =
      new PriorityQueue<>(
          Comparator.comparingLong(SourceEvent::nanos).thenComparing(SourceEvent::state));
  private @Nullable SourceEvent next;
  private @Nullable SourceEvent head;
  private long orderNanos = Long.MIN_VALUE;
  private long latestSampleNanos = Long.MIN_VALUE;
  private boolean isEnded;

  /**
   * Begins behind the header of a file.
   *
   * @param lines the lines, of which the header was read
   * @param left gets what is left out
   */
  PbCursor(Path file, int channel, PbLines lines, PbHeader header, LeftOut left) {
    this.file = file;
    this.channel = channel;
    this.lines = lines;
    this.left = left;
    sample = new PbSample(header, left.conversions());
  }

  /** Returns the offset behind the samples that were read. */
  long offset() {
    return lines.offset();
  }

  /** Returns the event at which the cursor is, or null at the end. */
  @Nullable SourceEvent head() {
    return head;
  }

  /** Returns a cursor behind the samples that were read, which tells nobody what it leaves out. */
  PbCursor rest() {
    return new PbCursor(file, channel, lines, sample.header(), LeftOut.untold());
  }

  /** Goes to the next event, or to the end. */
  void advance() throws IOException {
    while (next == null && !isEnded && connections.size() < MOST_PENDING) {
      isEnded = !read();
    }
    SourceEvent value = next;
    SourceEvent connection = connections.peek();
    SourceEvent first;
    if (value != null && (connection == null || value.nanos() < connection.nanos())) {
      first = value;
      next = null;
    } else {
      first = connections.poll();
    }
    if (first != null) {
      orderNanos = Math.max(orderNanos, first.nanos());
      first = first.at(orderNanos);
    }
    head = first;
  }

  /** Reads a line. Returns false at the end. */
  private boolean read() throws IOException {
    switch (lines.next()) {
      case LINE -> parse();
      case TOO_LONG -> damage("line is longer than 32 MiB");
      case CUT -> damage("last sample is cut");
      case END -> {
        left.end();
        return false;
      }
    }
    return true;
  }

  private void parse() {
    try {
      sample.parse(lines.bytes(), lines.length());
    } catch (MalformedSampleException e) {
      damage(String.valueOf(e.getMessage()));
      return;
    }
    long place = Math.max(orderNanos, sample.nanos());
    left.pass(place);
    connections(sample.nanos());
    if (sample.isRefused()) {
      left.count(
          Kind.REFUSED,
          place,
          "value is no index of an enum: file=" + file + ", offset=" + lines.lineOffset());
      return;
    }
    byte[] value = sample.value();
    if (value.length == 0) {
      left.count(Kind.EMPTY, place);
    }
    latestSampleNanos = sample.nanos();
    next =
        new SourceEvent(
            channel,
            sample.nanos(),
            sample.nanos(),
            value.length == 0 ? EventState.CONNECTED : EventState.VALUE,
            sample.severity(),
            sample.status(),
            sample.type(),
            value);
  }

  /**
   * Adds the connection events of the sample. Their times are whole seconds: the loss is the end of
   * its second, so that the sample before it precedes it.
   */
  private void connections(long sampleNanos) {
    long lostNanos = Long.MIN_VALUE;
    if (isTime(sample.lostSeconds())) {
      long end = sample.lostSeconds() * SECOND_NANOS + SECOND_NANOS - 1;
      boolean isInSecond = end / SECOND_NANOS == sampleNanos / SECOND_NANOS;
      lostNanos = Math.max(latestSampleNanos, isInSecond ? Math.min(end, sampleNanos) : end);
      connections.add(SourceEvent.connection(channel, lostNanos, false, sample.type()));
    }
    if (isTime(sample.regainedSeconds())) {
      long earliest = Math.max(latestSampleNanos, lostNanos);
      long regained = Math.max(sample.regainedSeconds() * SECOND_NANOS, earliest);
      connections.add(SourceEvent.connection(channel, regained, true, sample.type()));
    }
  }

  private static boolean isTime(long seconds) {
    return seconds > ApplianceSource.FIRST_SECONDS && seconds < ApplianceSource.END_SECONDS;
  }

  private void damage(String problem) {
    left.note(Kind.DAMAGED, problem + ": file=" + file + ", offset=" + lines.lineOffset());
  }
}
