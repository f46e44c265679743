package org.kblake.server.internal.appliance;

import java.io.IOException;
import org.kblake.server.internal.answer.AnswerStream;
import org.kblake.server.internal.appliance.form.AnswerForm;
import org.kblake.server.internal.appliance.form.ChannelHeader;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.SampleSink;

/** Passes the samples of a channel to a form. */
final class FormSink implements SampleSink {

  private final AnswerStream out;
  private final AnswerForm form;
  private final ChannelHeader header;
  private boolean begun;

  FormSink(AnswerStream out, AnswerForm form, ChannelHeader header) {
    this.out = out;
    this.form = form;
    this.header = header;
  }

  /** Returns whether there was a sample. */
  boolean hasBegun() {
    return begun;
  }

  @Override
  public boolean take(AnsweredSample sample) throws IOException {
    if (!begun) {
      out.headerIsKnown();
      form.begin(header, sample);
      begun = true;
    }
    form.sample(sample);
    return true;
  }
}
