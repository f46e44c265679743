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

/** The checks of an event that all walks over damage use. */
final class EventProbeTest {

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
    try (LogWindow window = log.inPieces(log.source().open(), LogWindow.PIECE_BYTES)) {
      EventProbe probe = new EventProbe(log.layout(), log.rules(), window);
      assertThat(probe.isMilestone(0)).isTrue();
      assertThat(probe.length(0)).isEqualTo((int) event);
      assertThat(probe.nanos(0)).isEqualTo(BEGIN_NANOS);
      assertThat(probe.milestoneFault(0, log.dataBytes())).isNull();
      assertThat(probe.isMilestone(event)).isFalse();
      assertThat(probe.headerFault(event)).isNull();
      assertThat(probe.fault(event)).isNull();
      assertThat(event + probe.length(event)).isEqualTo(pair.eventOffset(0, 1));
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
    try (LogWindow window = log.inPieces(log.source().open(), LogWindow.PIECE_BYTES)) {
      EventProbe probe = new EventProbe(log.layout(), log.rules(), window);
      assertThat(probe.nanos(event)).isEqualTo(LogLayout.IMPOSSIBLE_NANOS);
      assertThat(probe.fault(event)).startsWith("an impossible time");
      assertThat(probe.headerFault(event)).isNull();
      assertThat(probe.milestoneFault(milestone, log.dataBytes())).startsWith("an impossible time");
      assertThat(probe.headerFault(other)).startsWith("length=3 of ");
      assertThat(probe.fault(other)).startsWith("length=3 of ");
    }
  }
}
