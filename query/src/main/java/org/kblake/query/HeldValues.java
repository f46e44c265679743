package org.kblake.query;

import java.util.List;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.arrow.BatchSchema;
import org.kblake.query.internal.engine.HeldResult;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;

/** The values that channels held at one instant. It is plain memory and needs no close. */
public final class HeldValues {

  private final HeldQuery query;
  private final ChannelResolution resolution;
  private final List<HeldValue> values;
  private final CoverageReport coverage;

  HeldValues(HeldResult answer) {
    query = answer.query();
    resolution = answer.resolution();
    values = answer.values();
    coverage = answer.coverage();
  }

  /** One for each channel, in the order of the question. Some may be unknown. */
  public List<HeldValue> values() {
    return values;
  }

  /**
   * The spans from which values may be missing, because a log could not be read. It has no other
   * spans of the search.
   */
  public CoverageReport coverage() {
    return coverage;
  }

  /**
   * The events that set the values, as a reader: a row for each channel with a value, in the order
   * of the question.
   *
   * @param allocator the parent of the reader's own allocator
   * @return the caller closes it
   */
  public EventReader read(BufferAllocator allocator) {
    TreeSet<ValueShape> shapes = new TreeSet<>();
    List<HeldValue> known = values.stream().filter(HeldValue::isKnown).toList();
    known.forEach(value -> shapes.add(new ValueShape(value.type(), value.waveform())));
    EventQuery events =
        EventQuery.of(query.channels())
            .between(new TimeRange(query.atNanos(), EpochNanos.plus(query.atNanos(), 1)))
            .allowIncomplete();
    return new EventReader(
        allocator.newChildAllocator("values held: " + events, 0, Long.MAX_VALUE),
        events,
        resolution,
        BatchSchema.of(shapes, false, resolution.groups().size() > 1, false),
        new Rows(resolution, known),
        () -> coverage,
        () -> {});
  }

  /** One row after another. */
  private static final class Rows implements EventRuns {
    private final ChannelResolution resolution;
    private final List<HeldValue> values;
    private int next;

    Rows(ChannelResolution resolution, List<HeldValue> values) {
      this.resolution = resolution;
      this.values = values;
    }

    private HeldValue current() {
      return values.get(next - 1);
    }

    @Override
    public boolean next() {
      return next < values.size() && ++next > 0;
    }

    @Override
    public EventColumns columns() {
      return current().row();
    }

    @Override
    public int to() {
      return 1;
    }

    @Override
    public int channel() {
      return resolution.names().indexOf(current().channel().name());
    }

    @Override
    public int group() {
      return resolution.groups().indexOf(current().channel().group());
    }

    @Override
    public long orderKey(int row) {
      return next;
    }

    @Override
    public void close() {}
  }
}
