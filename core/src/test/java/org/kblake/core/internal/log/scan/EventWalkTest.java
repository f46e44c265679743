package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.PairFixture;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.LogLayout;

/** What a walk finds at an offset, which all slow walks use. */
final class EventWalkTest {

  /** The offset of the nanoseconds in a header. */
  private static final int NANOSECONDS_OFFSET = 12;

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void write() throws IOException {
    pair = new PairFixture(root);
    pair.write();
  }

  @Test
  void findsNoFaultInAnUndamagedLog() throws IOException {
    PairLog log = pair.close().open();
    long event = pair.eventOffset(0, 0);
    try (LogWindow window = log.buffered(log.source().open(), LogWindow.BUFFER_BYTES)) {
      EventWalk events = new EventWalk(log, window, false);
      assertThat(events.found(0)).isEqualTo(EventWalk.Found.MILESTONE);
      assertThat(events.length(0)).isEqualTo((int) event);
      assertThat(events.nanos(0)).isEqualTo(BEGIN_NANOS);
      assertThat(events.milestoneFault(0, BEGIN_NANOS)).isNull();
      assertThat(events.found(event)).isEqualTo(EventWalk.Found.EVENT);
      assertThat(events.fault(event)).isNull();
      assertThat(events.isUndamagedEvent(event)).isTrue();
      assertThat(event + events.length(event)).isEqualTo(pair.eventOffset(0, 1));
      long milestone = pair.milestones.get(1);
      assertThat(events.nextMilestone(event, log.dataBytes())).isEqualTo(milestone);
      assertThat(events.found(log.dataBytes())).isEqualTo(EventWalk.Found.END);
      assertThat(events.found(log.dataBytes() - 1)).isEqualTo(EventWalk.Found.END);
      assertThat(events.ending(log.dataBytes())).isEqualTo(Segment.End.END_OF_PAIR);
      assertThat(events.ending(event)).isEqualTo(Segment.End.DAMAGED);
    }
  }

  @Test
  void describesFaults() throws IOException {
    long event = pair.eventOffset(0, 0);
    long other = pair.eventOffset(1, 0);
    long milestone = pair.milestones.get(1);
    pair.putLogInt(event + NANOSECONDS_OFFSET, 1_000_000_000);
    pair.putLogInt(milestone + NANOSECONDS_OFFSET, 1_000_000_000);
    pair.putLogInt(other, 3);
    PairLog log = pair.close().open();
    try (LogWindow window = log.buffered(log.source().open(), LogWindow.BUFFER_BYTES)) {
      EventWalk events = new EventWalk(log, window, false);
      assertThat(events.nanos(event)).isEqualTo(LogLayout.IMPOSSIBLE_NANOS);
      assertThat(events.found(event)).isEqualTo(EventWalk.Found.EVENT);
      assertThat(events.fault(event)).startsWith("an impossible time");
      assertThat(events.isUndamagedEvent(event)).isFalse();
      assertThat(events.fault(milestone)).startsWith("an impossible time");
      assertThat(events.milestoneFault(0, BEGIN_NANOS + 1))
          .isEqualTo(
              "time=" + BEGIN_NANOS + " ns, expected " + (BEGIN_NANOS + 1) + " as in the index");
      assertThat(events.milestoneFault(event, BEGIN_NANOS)).startsWith("id=");
      assertThat(events.found(other)).isEqualTo(EventWalk.Found.DAMAGE);
      assertThat(events.fault(other)).startsWith("length=3 of ");
      assertThat(events.step(other, false)).isZero();
    }
  }

  /** Zeros are an event that is not written yet, unless something is written behind them. */
  @Test
  void zerosAreUnwrittenInAGrowingLogAndAtTheEndOfAClosedOne() throws IOException {
    long first = pair.eventOffset(0, 0);
    pair.putLogInt(first, 0);
    PairLog closed = pair.close().open();
    try (LogWindow window = closed.buffered(closed.source().open(), LogWindow.BUFFER_BYTES)) {
      EventWalk events = new EventWalk(closed, window, false);
      assertThat(events.found(first)).isEqualTo(EventWalk.Found.ZEROS);
      assertThat(events.isUnwritten(first)).isFalse();
      assertThat(events.ending(first)).isEqualTo(Segment.End.DAMAGED);
      EventWalk growing = new EventWalk(closed.layout(), closed.rules(), window, false);
      assertThat(growing.isUnwritten(first)).isTrue();
      assertThat(growing.ending(first)).isEqualTo(Segment.End.UNWRITTEN);
    }
  }
}
