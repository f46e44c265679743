package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.MINUTE_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.SECOND_NANOS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Damage;

/** A tail returns the events of a scan as soon as they are complete, and each event once. */
final class LogTailTest extends GrowingTail {

  /** The way in which the index grows with the log. */
  enum Index {
    LEADS,
    FOLLOWS,
    LAGS;

    int entries(int logBytes, List<Long> milestones) {
      return switch (this) {
        case LEADS -> milestones.size();
        case FOLLOWS -> (int) milestones.stream().filter(offset -> offset < logBytes).count();
        case LAGS -> 0;
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyPrefixGivesItsCompleteEvents(Index kind) throws IOException {
    grow(0, headBytes);
    open();
    for (int bytes = 1; bytes <= log.length; bytes++) {
      grow(bytes, entries(kind.entries(bytes, whole.milestones)));
      refresh();
      assertThat(values).as("bytes=%d", bytes).isEqualTo(ALL.subList(0, eventsIn(bytes)));
      assertThat(tail().isAtEnd()).isEqualTo(tail().offset() == bytes);
    }
    assertThat(damage).isEmpty();
    assertThat(tail().isAtEnd()).isTrue();
  }

  @Test
  void anyIncrementsOfBothFilesGiveEveryEventOnce() throws IOException {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      values.clear();
      int bytes = random.nextInt(log.length);
      int known = headBytes + random.nextInt(index.length - headBytes + 1);
      grow(bytes, known);
      try (LogTail each = LogTail.open(pair.open(), 0, null, damage::add)) {
        opened = each;
        read();
        while (bytes < log.length || known < index.length) {
          bytes = Math.min(log.length, bytes + random.nextInt(120));
          known = Math.min(index.length, known + random.nextInt(20));
          grow(bytes, known);
          refresh();
          assertThat(values)
              .as("seed=%d, bytes=%d, index=%d", seed, bytes, known)
              .isEqualTo(ALL.subList(0, eventsIn(bytes)));
        }
      }
    }
    assertThat(damage).isEmpty();
  }

  /** An earlier tail may have stopped at any event, and the log may have grown since. */
  @Test
  void continuesAtAnyOffset() throws IOException {
    grow(log.length, entries(2));
    for (int from = 0; from <= log.length; from++) {
      values.clear();
      open(from);
      int given = 0;
      for (int i = 0; i < ALL.size(); i++) {
        given += whole.eventOffset(i / 3, i % 3) < from ? 1 : 0;
      }
      assertThat(values).as("from=%d", from).isEqualTo(ALL.subList(given, ALL.size()));
      tail().close();
    }
  }

  @Test
  void onlySelectedRecordsAreGiven() throws IOException {
    BitSet wanted = new BitSet();
    wanted.set(1);
    grow(log.length, entries(2));
    opened = LogTail.open(pair.open(), 0, wanted, damage::add);
    read();
    assertThat(values).containsExactly(0.5, 1.5, 2.5);
  }

  /** The ends that milestones of a later index give agree with those of a scan. */
  @Test
  void spansHaveNoEndWhileTheLogGrows() throws IOException {
    grow(log.length, entries(1));
    opened = LogTail.open(pair.open(), 0, null, damage::add);
    assertThat(tail().next()).isTrue();
    Segment segment = tail().scanner().segment();
    assertThat(segment.spanFromNanos()).isEqualTo(BEGIN_NANOS - 10 * MINUTE_NANOS);
    assertThat(segment.spanToNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(segment.whole()).isFalse();
  }

  @Test
  void aClosedPairIsReadToItsEnd() throws IOException {
    grow(log.length - 5, entries(3));
    pair.close();
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0, 2.5);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.CUT);
    assertThat(tail().isAtEnd()).isFalse();
    // The pair was closed too early: the writer was only slow.
    grow(log.length, entries(3));
    refresh();
    assertThat(values).isEqualTo(ALL);
    assertThat(tail().isAtEnd()).isTrue();
  }

  @Test
  void remainingBytesAreReportedWhenThePairIsClosed() throws IOException {
    int offset = (int) whole.eventOffset(2, 0);
    whole.putLogInt(offset + 4, 77);
    load();
    grow(log.length, entries(3));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 1.5, 2.0);
    pair.close();
    tail().refresh();
    assertThat(tail().isUnchangedFor(3600 * SECOND_NANOS)).isTrue();
    tail().finish(pair.open());
    read();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.5, 3.0);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.EVENT);
  }

  @Test
  void aReplacedOrShorterLogIsReported() throws IOException {
    grow(log.length, entries(3));
    open();
    Path other = root.resolve("other");
    Files.write(other, log);
    Files.move(other, pair.log(), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(tail()::refresh)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("replaced by another file");
    tail().close();
    open(tail().offset());
    assertThat(values).isEqualTo(ALL);
    grow(log.length - 1, entries(3));
    assertThatThrownBy(tail()::refresh)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("has become shorter");
    Files.delete(pair.log());
    assertThatThrownBy(tail()::refresh).isInstanceOf(UnavailableException.class);
  }
}
