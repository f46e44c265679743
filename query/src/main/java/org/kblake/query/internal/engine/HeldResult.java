package org.kblake.query.internal.engine;

import java.util.List;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.question.HeldQuery;

/**
 * The answer to a question about held values.
 *
 * @param query the question
 * @param resolution the channels of the question
 * @param values a value for each channel, in the order of the request
 * @param coverage the spans in which values may be missing
 */
public record HeldResult(
    HeldQuery query,
    ChannelResolution resolution,
    List<HeldValue> values,
    CoverageReport coverage) {

  public HeldResult {
    values = List.copyOf(values);
  }
}
