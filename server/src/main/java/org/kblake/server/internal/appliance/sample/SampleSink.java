package org.kblake.server.internal.appliance.sample;

import java.io.IOException;

/** Receives samples in the order of time. */
@FunctionalInterface
public interface SampleSink {

  /**
   * Takes a sample, which is valid during this call.
   *
   * @return whether more samples are wanted
   */
  boolean take(AnsweredSample sample) throws IOException;
}
