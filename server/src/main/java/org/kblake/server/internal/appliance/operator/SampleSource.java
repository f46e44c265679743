package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleSink;

/** The samples of an answer. */
@FunctionalInterface
public interface SampleSource {

  /**
   * Passes all samples on, or as many as the sink wants.
   *
   * @return what is missing
   */
  Missing into(SampleSink sink) throws IOException;
}
