package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.record.group.RecorderFixture.GROUP;
import static org.kblake.record.group.RecorderFixture.MINUTE;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** A pair begins with the states in which the one before it ended. */
final class StatesOfPairsTest {

  @TempDir Path root;
  private RecorderFixture fixture;

  @BeforeEach
  void begin() throws IOException {
    fixture = new RecorderFixture(root);
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.value("A", 5);
    fixture.source.value("B", 7);
    fixture.pass(2 * SECOND);
  }

  /** Returns the states in the first milestone of the newest pair. */
  private RecordStates states() throws IOException {
    List<Pair> pairs = Archive.open(root, ArchiveSettings.defaults()).pairs(GROUP);
    PairLog log = pairs.get(pairs.size() - 1).open();
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    BitSet all = new BitSet();
    all.set(0, log.records().size());
    try (MilestoneReader milestones = MilestoneReader.open(log)) {
      milestones.read(0, states, all);
    }
    return states;
  }

  private static double number(RecordStates states, int record) {
    return Double.longBitsToDouble(states.valueBits(record, 0));
  }

  @Test
  void statesAreCarriedWhenATypeChanges() throws IOException {
    fixture.source.disconnect("A");
    fixture.source.connect("A", ValueType.LONG, 1);
    fixture.pass(2 * MINUTE);
    fixture.pass(2 * SECOND);
    assertThat(fixture.pairs()).isEqualTo(2);
    RecordStates states = states();
    assertThat(states.state(0)).isEqualTo(EventState.DISCONNECTED.code());
    assertThat(states.hasValue(0)).isFalse();
    assertThat(states.state(1)).isEqualTo(EventState.VALUE_CODE);
    assertThat(states.valueNanos(1)).isEqualTo(SetClock.BEGIN_NANOS);
    assertThat(number(states, 1)).isEqualTo(7);
    fixture.close();
  }

  @Test
  void statesAreCarriedWhenAPairIsLost() throws IOException {
    fixture.source.disconnect("B");
    fixture.pass(2 * SECOND);
    Files.delete(LoggedEvents.logs(root, GROUP).get(0));
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    assertThat(fixture.pairs()).isEqualTo(1);
    RecordStates states = states();
    assertThat(states.state(0)).isEqualTo(EventState.VALUE_CODE);
    assertThat(number(states, 0)).isEqualTo(5);
    assertThat(states.state(1)).isEqualTo(EventState.DISCONNECTED.code());
    assertThat(states.valueNanos(1)).isEqualTo(SetClock.BEGIN_NANOS);
    assertThat(number(states, 1)).isEqualTo(7);
    fixture.close();
  }
}
