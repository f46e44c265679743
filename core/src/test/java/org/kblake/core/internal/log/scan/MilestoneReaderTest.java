package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.SECOND_NANOS;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.pair.PairFixture;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.LogLayout;

/** The states of the records in a milestone. */
class MilestoneReaderTest {

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void begin() throws IOException {
    pair = new PairFixture(root).write();
  }

  @Test
  void aMilestoneHasTheStateOfEveryRecord() throws IOException {
    PairLog log = pair.close().open();
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    try (MilestoneReader reader = MilestoneReader.open(log)) {
      assertThat(reader.read(0, states, null)).isEqualTo(BEGIN_NANOS);
      assertThat(states.hasValue(0)).isFalse();
      assertThat(states.eventNanos(0)).isEqualTo(LogLayout.NEVER_NANOS);
      reader.read(pair.milestones.get(1), states, null);
      assertThat(states.eventNanos(1)).isEqualTo(BEGIN_NANOS + 2 * SECOND_NANOS);
      assertThat(states.state(1)).isEqualTo(2);
      assertThat(states.severity(1)).isEqualTo(1);
      assertThat(states.status(1)).isEqualTo(4);
      assertThat(states.elements(2)).isEqualTo(2);
      assertThat(Double.longBitsToDouble(states.valueBits(2, 1))).isEqualTo(2.0);
    }
  }

  @Test
  void onlySelectedEntriesOfAMilestoneAreKept() throws IOException {
    PairLog log = pair.close().open();
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    BitSet wanted = new BitSet();
    wanted.set(1);
    try (MilestoneReader reader = MilestoneReader.open(log)) {
      reader.read(pair.milestones.get(2), states, wanted);
    }
    assertThat(states.hasValue(0)).isFalse();
    assertThat(Double.longBitsToDouble(states.valueBits(1, 0))).isEqualTo(1.5);
  }

  @Test
  void aDamagedMilestoneHasNoStates() throws IOException {
    long offset = pair.milestones.get(1);
    pair.putLogInt(offset + 8, 7).close();
    PairLog log = pair.open();
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    try (MilestoneReader reader = MilestoneReader.open(log)) {
      assertThatThrownBy(() -> reader.read(offset, states, null))
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("damaged milestone: file=" + pair.log() + ", offset=" + offset);
      assertThatThrownBy(() -> reader.read(offset + 16, states, null))
          .isInstanceOf(CorruptLogException.class);
      assertThatThrownBy(() -> reader.read(log.logBytes(), states, null))
          .isInstanceOf(CorruptLogException.class);
    }
  }
}
