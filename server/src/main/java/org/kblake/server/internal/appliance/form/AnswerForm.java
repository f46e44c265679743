package org.kblake.server.internal.appliance.form;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/** Writes an answer in one of the forms of the protocol. */
public interface AnswerForm {

  /** Begins a channel. It is called before its first sample, and not for a channel without one. */
  void begin(ChannelHeader header, AnsweredSample first) throws IOException;

  /** Writes a sample of the channel. */
  void sample(AnsweredSample sample) throws IOException;

  /**
   * Ends the answer.
   *
   * @param missing the reason why the answer is incomplete; null if it is complete
   */
  void end(@Nullable String missing) throws IOException;
}
