package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.server.internal.appliance.request.RequestRange;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.RowCopy;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.appliance.sample.SampleSink;

/**
 * The samples if there are at most N in the range, otherwise statistics of bins. Texts and
 * waveforms have no statistics: their samples are passed on in any case, or the last one of each
 * bin is.
 *
 * <p>The width of a bin is an N-th of the range, rounded up to whole seconds, so that at most N + 1
 * bins meet the range. From 5 min on it is rounded up to a multiple of 5 min, from 1 h on to one of
 * 1 h, so that rollups can answer.
 */
final class OptimizedSamples implements SampleSource {

  private static final long SECOND = 1_000_000_000L;
  private static final long MAX_BYTES = 64L << 20;
  private static final long LONG_NANOS = 30 * 86_400 * SECOND;

  /** A probe reads this share of a long range. */
  private static final int PROBED_SHARE = 64;

  private static final int[] ROLLUP_SECONDS = {3600, 300};

  private final SampleReader reader;
  private final RequestRange range;
  private final RequestedOperator operator;

  OptimizedSamples(SampleReader reader, RequestRange range, RequestedOperator operator) {
    this.reader = reader;
    this.range = range;
    this.operator = operator;
  }

  @Override
  public Missing into(SampleSink sink) throws IOException {
    Few few = new Few(sink);
    boolean hasMany = hasManyAtBegin();
    Missing missing =
        hasMany ? Missing.NOTHING : reader.samples(range.fromNanos(), range.toNanos(), few);
    if (hasMany || few.tooMany) {
      RequestedOperator.Kind kind = operator.kind();
      return new BinnedSamples(
              reader,
              BinGrid.of(range, seconds(range, operator.number())),
              new RequestedOperator(
                  kind == RequestedOperator.Kind.FEW ? RequestedOperator.Kind.LAST : kind,
                  operator.fills(),
                  operator.number()),
              all -> reader.samples(range.fromNanos(), range.toNanos(), all))
          .into(sink);
    }
    few.buffer.into(sink);
    return missing;
  }

  /**
   * Returns whether the begin of a long range has too many samples. A read of it has a shorter plan
   * than one of the range.
   */
  private boolean hasManyAtBegin() throws IOException {
    long length = range.toNanos() - range.fromNanos();
    if (length < LONG_NANOS) {
      return false;
    }
    AtomicInteger count = new AtomicInteger();
    reader.samples(
        range.fromNanos(),
        range.fromNanos() + length / PROBED_SHARE,
        sample ->
            mayBin(sample.columns())
                && (sample.timeNanos() < range.fromNanos()
                    || count.incrementAndGet() <= operator.number()));
    return count.get() > operator.number();
  }

  /** Returns the width of the bins. */
  static int seconds(RequestRange range, int bins) {
    long span = Math.floorDiv(range.toNanos(), SECOND) - Math.floorDiv(range.fromNanos(), SECOND);
    long seconds = Math.max(1, (span + bins - 1) / bins);
    for (int rollup : ROLLUP_SECONDS) {
      if (seconds >= rollup) {
        seconds = (seconds + rollup - 1) / rollup * rollup;
        break;
      }
    }
    return (int) Math.min(seconds, Integer.MAX_VALUE);
  }

  private boolean mayBin(EventColumns columns) {
    return operator.kind() == RequestedOperator.Kind.FEW
        || !columns.waveform() && columns.type() != ValueType.STRING;
  }

  /** Keeps samples until there are too many of them. */
  private final class Few implements SampleSink {
    private final SampleSink sink;
    private SampleBuffer buffer = new SampleBuffer();
    private int inRange;
    private long bytes;
    private boolean passing;
    private boolean tooMany;

    Few(SampleSink sink) {
      this.sink = sink;
    }

    @Override
    public boolean take(AnsweredSample sample) throws IOException {
      if (passing) {
        return sink.take(sample);
      }
      EventColumns columns = sample.columns();
      if (!mayBin(columns)) {
        passing = true;
        boolean more = buffer.into(sink);
        buffer = new SampleBuffer();
        return more && sink.take(sample);
      }
      inRange += sample.timeNanos() >= range.fromNanos() ? 1 : 0;
      bytes += RowCopy.bytes(columns, sample.row());
      if (inRange > operator.number() || bytes > MAX_BYTES) {
        tooMany = true;
        return false;
      }
      buffer.add(sample);
      return true;
    }
  }
}
