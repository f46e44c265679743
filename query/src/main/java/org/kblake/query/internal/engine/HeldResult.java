package org.kblake.query.internal.engine;

import java.util.List;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.question.HeldQuery;

/**
 * What was found out about a question for held values.
 *
 * @param query the question
 * @param resolution the channels that it means
 * @param values one for each channel, in the order in which they were requested
 * @param coverage the spans that values may be missing from
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
