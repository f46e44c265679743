package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.core.internal.log.pair.PairFixture.ALL;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.MINUTE_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.SECOND_NANOS;
import static org.kblake.core.internal.log.scan.Segment.End.END_OF_PAIR;
import static org.kblake.core.internal.log.scan.Segment.End.MILESTONE;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairFixture;
import org.kblake.core.internal.log.pair.PairFixture.Scanned;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.log.LogWriter;

/** Segments and events of a log without damage. */
class LogScannerTest {

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void begin() {
    pair = new PairFixture(root);
  }

  @Test
  void aClosedPairIsServedWhole() throws IOException {
    Scanned scanned = pair.write().close().scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.ends()).containsExactly(MILESTONE, MILESTONE, END_OF_PAIR);
    assertThat(scanned.damage()).isEmpty();
    assertThat(scanned.strays()).isZero();
    Segment first = scanned.segments().get(0);
    assertThat(first.milestoneNanos()).isEqualTo(BEGIN_NANOS);
    assertThat(first.spanFromNanos()).isEqualTo(BEGIN_NANOS - 10 * MINUTE_NANOS);
    assertThat(first.spanToNanos()).isEqualTo(BEGIN_NANOS + 11 * MINUTE_NANOS);
    assertThat(first.events()).isEqualTo(3);
    assertThat(first.lastNanos()).isEqualTo(BEGIN_NANOS + 3 * SECOND_NANOS);
    Segment last = scanned.segments().get(2);
    assertThat(last.spanToNanos()).isEqualTo(BEGIN_NANOS + (2 + 2 + 10) * MINUTE_NANOS);
    assertThat(last.whole()).isTrue();
  }

  @Test
  void onlyEventsOfSelectedRecordsAreServed() throws IOException {
    PairLog log = pair.write().close().open();
    BitSet wanted = new BitSet();
    wanted.set(1);
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      for (int segment = 0; segment < 3; segment++) {
        assertThat(scanner.nextSegment()).isTrue();
        assertThat(scanner.segment().events()).isEqualTo(3);
        assertThat(scanner.next()).isTrue();
        assertThat(scanner.record()).isEqualTo(1);
        assertThat(Double.longBitsToDouble(scanner.valueBits(0))).isEqualTo(segment + 0.5);
        assertThat(scanner.severity()).isEqualTo(1);
        assertThat(scanner.status()).isEqualTo(4);
        assertThat(scanner.next()).isFalse();
      }
      assertThat(scanner.nextSegment()).isFalse();
    }
  }

  @Test
  void aScanEndsAtTheGivenMilestone() throws IOException {
    PairLog log = pair.write().close().open();
    Milestones milestones = log.milestones();
    try (LogScanner scanner =
        LogScanner.open(log, milestones.offset(1), milestones.offset(2), null)) {
      assertThat(scanner.nextSegment()).isTrue();
      assertThat(scanner.segment().startOffset()).isEqualTo(milestones.offset(1));
      assertThat(scanner.nextSegment()).isFalse();
    }
  }

  @Test
  void anEventFarFromItsSegmentIsAStray() throws IOException {
    pair.write();
    pair.putLogInt(pair.eventOffset(1, 1) + 8, 7);
    Scanned scanned = pair.close().scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.strays()).isEqualTo(1);
    assertThat(scanned.segments().get(1).strays()).isEqualTo(1);
    assertThat(scanned.segments().get(1).firstNanos())
        .isEqualTo(BEGIN_NANOS + MINUTE_NANOS + SECOND_NANOS);
    assertThat(scanned.damage()).isEmpty();
  }

  @Test
  void aMilestoneWithoutIndexEntryStartsASegment() throws IOException {
    try (LogWriter writer = pair.create()) {
      pair.segment(writer, 0, true);
      pair.segment(writer, 1, false);
      pair.segment(writer, 2, true);
    }
    Scanned scanned = pair.close().scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.segments().stream().map(Segment::startOffset)).isEqualTo(pair.milestones);
    assertThat(scanned.segments().get(0).spanToNanos()).isEqualTo(BEGIN_NANOS + 11 * MINUTE_NANOS);
    assertThat(scanned.damage()).isEmpty();
  }

  @Test
  void anIndexWithoutEntriesLosesNoEvents() throws IOException {
    try (LogWriter writer = pair.create()) {
      for (int segment = 0; segment < 3; segment++) {
        pair.segment(writer, segment, false);
      }
    }
    PairLog log = pair.open();
    assertThat(log.milestones().count()).isEqualTo(1);
    assertThat(log.milestones().nanos(0)).isEqualTo(BEGIN_NANOS);
    assertThat(Scanned.of(log).values()).containsExactlyElementsOf(ALL);
    assertThat(Scanned.of(log).segments()).hasSize(3);
  }

  @Test
  void orderIsGivenByLatenessAndTie() throws IOException {
    try (LogWriter writer = pair.create()) {
      writer.milestone(BEGIN_NANOS);
      for (long second : new long[] {5, 3, 5, 5, 9, 1}) {
        writer.number(0, BEGIN_NANOS + second, 0, 0, 0);
      }
    }
    PairLog log = pair.open();
    BitSet wanted = new BitSet();
    wanted.set(0);
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted, true)) {
      assertThat(scanner.nextSegment()).isTrue();
      long[] lateness = {0, 2, 0, 0, 0, 8};
      int[] tie = {0, 1, 2, 3, 0, 1};
      for (int i = 0; i < tie.length; i++) {
        assertThat(scanner.next()).isTrue();
        assertThat(scanner.latenessNanos()).isEqualTo(lateness[i]);
        assertThat(scanner.tie()).isEqualTo(tie[i]);
      }
    }
  }

  /** The first pass keeps a limited number of events. A second pass finds the rest. */
  @Test
  void moreEventsThanTheFirstPassKeepsAreServed() throws IOException {
    int events = 200_000;
    try (LogWriter writer = pair.create()) {
      writer.milestone(BEGIN_NANOS);
      for (int i = 0; i < events; i++) {
        writer.number(i & 1, BEGIN_NANOS + i, 0, 0, i);
      }
    }
    PairLog log = pair.close().open();
    BitSet wanted = new BitSet();
    wanted.set(1);
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      assertThat(scanner.nextSegment()).isTrue();
      int next = 1;
      while (scanner.next()) {
        assertThat(scanner.valueBits(0)).isEqualTo(next);
        next += 2;
      }
      assertThat(next).isEqualTo(events + 1);
    }
  }
}
