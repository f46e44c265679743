package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import org.kblake.server.internal.appliance.request.RequestRange;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.appliance.sample.SampleSink;

/** The first sample in a range, and every n-th one after it. */
final class NthSamples implements SampleSource {

  private final SampleReader reader;
  private final RequestRange range;
  private final int step;
  private long index;

  NthSamples(SampleReader reader, RequestRange range, int step) {
    this.reader = reader;
    this.range = range;
    this.step = step;
  }

  @Override
  public Missing into(SampleSink sink) throws IOException {
    return reader.samples(
        range.fromNanos(),
        range.toNanos(),
        sample ->
            sample.timeNanos() < range.fromNanos() || index++ % step != 0 || sink.take(sample));
  }
}
