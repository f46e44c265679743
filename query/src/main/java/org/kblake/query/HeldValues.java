package org.kblake.query;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.engine.HeldResult;
import org.kblake.query.question.EventFilter;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;

/** The values that channels held at one instant. It is plain memory and needs no close. */
public final class HeldValues {

  private final HeldResult answer;

  HeldValues(HeldResult answer) {
    this.answer = answer;
  }

  /** Returns a copy without the values that a filter does not select. Unknown values remain. */
  public HeldValues where(EventFilter filter) {
    filter.check(answer.resolution().channels());
    List<HeldValue> selected = new ArrayList<>();
    for (HeldValue value : values()) {
      if (!value.isKnown() || filter.nextMatch(value.channel().name(), value.row(), 0, 1) == 0) {
        selected.add(value);
      }
    }
    return new HeldValues(
        new HeldResult(answer.query(), answer.resolution(), selected, answer.coverage()));
  }

  /** Returns a value for each channel, in the order of the question. Some may be unknown. */
  public List<HeldValue> values() {
    return answer.values();
  }

  /**
   * Returns the spans in which values may be missing, because a log could not be read. It has no
   * other spans of the search.
   */
  public CoverageReport coverage() {
    return answer.coverage();
  }

  /**
   * Returns the events that set the values, as a reader: a row for each channel with a value, in
   * the order of the question.
   *
   * @param allocator the parent of the reader's own allocator
   * @return the caller closes it
   */
  public EventReader read(BufferAllocator allocator) {
    HeldQuery query = answer.query();
    EventQuery events = EventQuery.of(query.channels()).between(query.range()).allowIncomplete();
    List<HeldValue> known = values().stream().filter(HeldValue::isKnown).toList();
    return new EventReader(
        allocator.newChildAllocator("values held: " + events, 0, Long.MAX_VALUE),
        EventAnswer.ofHeld(events, answer.resolution(), known, answer.coverage()),
        () -> {});
  }
}
