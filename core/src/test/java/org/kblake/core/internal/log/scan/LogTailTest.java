package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.MINUTE_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.SECOND_NANOS;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.PairFixture;

/**
 * A tail gives what a scan gives, as soon as it is there and never twice. The log is that of {@link
 * PairFixture}: three segments of three events, the first elements of their values are
 *
 * <pre>
 *   0.0 0.5 1.0 | 1.0 1.5 2.0 | 2.0 2.5 3.0
 * </pre>
 */
class LogTailTest {

  private static final Double[] ALL = {0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0, 2.5, 3.0};

  @TempDir Path root;

  private PairFixture whole;
  private PairFixture pair;

  /** The files as they will be; what {@link #pair} has of them grows. */
  private byte[] log = {};

  private byte[] index = {};
  private int headBytes;
  private @Nullable LogTail opened;
  private final List<Double> values = new ArrayList<>();
  private final List<Damage> damage = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    whole = new PairFixture(root.resolve("whole"));
    pair = new PairFixture(root.resolve("growing"));
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.FINAL));
    whole.write();
    pair.milestones.addAll(whole.milestones);
    load();
    Files.createDirectories(pair.log().getParent());
  }

  @AfterEach
  void close() throws IOException {
    if (opened != null) {
      opened.close();
    }
  }

  private void load() throws IOException {
    log = Files.readAllBytes(whole.log());
    index = Files.readAllBytes(whole.index());
    headBytes = ByteBuffer.wrap(index).getInt(12);
  }

  /** Lets both files have so many bytes. */
  private LogTailTest grow(int logBytes, int indexBytes) throws IOException {
    write(pair.log(), Arrays.copyOf(log, logBytes));
    if (!Files.exists(pair.index()) || Files.size(pair.index()) != indexBytes) {
      write(pair.index(), Arrays.copyOf(index, indexBytes));
    }
    return this;
  }

  /** In place: some file systems write a file that was emptied to the disk at once. */
  private static void write(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), 0);
      channel.truncate(bytes.length);
    }
  }

  private int entries(int milestones) {
    return headBytes + 16 * milestones;
  }

  private void open() throws IOException {
    open(0);
  }

  private void open(long offset) throws IOException {
    opened = LogTail.open(pair.open(), offset, null, damage::add);
    read();
  }

  private LogTail tail() {
    return Objects.requireNonNull(opened);
  }

  private void look() throws IOException {
    tail().look();
    read();
  }

  private void read() throws IOException {
    while (tail().next()) {
      values.add(Double.longBitsToDouble(tail().scanner().valueBits(0)));
    }
  }

  /** How many events are whole in so many bytes of the log. */
  private int eventsIn(int logBytes) throws IOException {
    int events = 0;
    for (int i = 0; i < ALL.length; i++) {
      long offset = whole.eventOffset(i / 3, i % 3);
      events += offset + ByteBuffer.wrap(log).getInt((int) offset) <= logBytes ? 1 : 0;
    }
    return events;
  }

  /** How the index goes along with the log. */
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
  void everyPrefixGivesItsWholeEvents(Index kind) throws IOException {
    grow(0, headBytes);
    open();
    for (int bytes = 1; bytes <= log.length; bytes++) {
      grow(bytes, entries(kind.entries(bytes, whole.milestones)));
      look();
      assertThat(values)
          .as("bytes=%d", bytes)
          .isEqualTo(Arrays.asList(ALL).subList(0, eventsIn(bytes)));
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
          look();
          assertThat(values)
              .as("seed=%d, bytes=%d, index=%d", seed, bytes, known)
              .isEqualTo(Arrays.asList(ALL).subList(0, eventsIn(bytes)));
        }
      }
    }
    assertThat(damage).isEmpty();
  }

  /** Wherever an earlier tail had got to, and if the log has grown meanwhile. */
  @Test
  void goesOnAtAnyOffset() throws IOException {
    grow(log.length, entries(2));
    for (int from = 0; from <= log.length; from++) {
      values.clear();
      open(from);
      int given = 0;
      for (int i = 0; i < ALL.length; i++) {
        given += whole.eventOffset(i / 3, i % 3) < from ? 1 : 0;
      }
      assertThat(values)
          .as("from=%d", from)
          .isEqualTo(Arrays.asList(ALL).subList(given, ALL.length));
      tail().close();
    }
  }

  @Test
  void onlyWantedRecordsAreGiven() throws IOException {
    BitSet wanted = new BitSet();
    wanted.set(1);
    grow(log.length, entries(2));
    opened = LogTail.open(pair.open(), 0, wanted, damage::add);
    read();
    assertThat(values).containsExactly(0.5, 1.5, 2.5);
  }

  /** The size is there before the bytes are: these read as zeros, from any byte on. */
  @Test
  void zerosThatFillInFromTheFrontAreNeverGiven() throws IOException {
    pair.settings(
        ArchiveSettings.defaults()
            .withTail(TailRule.PROVISIONAL)
            .withSettleNanos(Long.MAX_VALUE / 4));
    byte[] written = log.clone();
    grow(0, entries(1));
    open();
    for (int bytes = 1; bytes <= written.length; bytes++) {
      log = Arrays.copyOf(Arrays.copyOf(written, bytes), written.length);
      grow(written.length, entries(3));
      look();
      int end = bytes;
      while (end > 0 && written[end - 1] == 0) {
        end--;
      }
      assertThat(values)
          .as("bytes=%d", bytes)
          .isEqualTo(Arrays.asList(ALL).subList(0, eventsIn(end)));
    }
    // the last event ends in the zeros of 4.0
    assertThat(values).hasSize(8);
    assertThat(tail().isAtEnd()).isFalse();
  }

  /**
   * A page of zeros with newer pages behind it, wherever it begins, up to the midst of the second
   * milestone: events behind it wait until it is there, and no zeros of it are given.
   */
  @Test
  void aStalePageInTheMiddleIsWaitedFor() throws IOException {
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL));
    log[log.length - 1] = 1;
    byte[] written = log.clone();
    int end = Math.toIntExact(pair.milestones.get(1)) + 20;
    for (int from = 0; from < pair.milestones.get(1); from++) {
      values.clear();
      int writtenBefore = from;
      while (writtenBefore > 0 && written[writtenBefore - 1] == 0) {
        writtenBefore--;
      }
      List<Double> before = Arrays.asList(ALL).subList(0, eventsIn(writtenBefore));
      log = written.clone();
      Arrays.fill(log, from, end, (byte) 0);
      grow(log.length, entries(3));
      open();
      assertThat(values).as("from=%d", from).isEqualTo(before);
      look();
      assertThat(values).as("from=%d", from).isEqualTo(before);
      log = written.clone();
      grow(log.length, entries(3));
      look();
      assertThat(values).as("from=%d, all there", from).containsExactly(ALL);
      assertThat(damage).as("from=%d", from).isEmpty();
      close();
    }
  }

  /** The milestone before it is indexed and whole, so that a segment begins there. */
  @Test
  void theFirstEventOfASegmentIsWaitedForWhereAStalePageBeginsInIt() throws IOException {
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL));
    log[log.length - 1] = 1;
    byte[] written = log.clone();
    int first = Math.toIntExact(whole.eventOffset(1, 0));
    int second = Math.toIntExact(whole.eventOffset(1, 1));
    for (int from = first; from < second; from++) {
      values.clear();
      log = written.clone();
      Arrays.fill(log, from, Math.toIntExact(pair.milestones.get(2)) + 20, (byte) 0);
      grow(log.length, entries(3));
      open(pair.milestones.get(1));
      assertThat(values).as("from=%d", from).isEmpty();
      log = written.clone();
      grow(log.length, entries(3));
      look();
      assertThat(values).as("from=%d, all there", from).contains(1.5, 3.0);
      assertThat(damage).as("from=%d", from).isEmpty();
      close();
    }
  }

  @Test
  void anEventThatEndsInZerosIsGivenWhenTheFileHasSettled() throws IOException {
    pair.settings(
        ArchiveSettings.defaults()
            .withTail(TailRule.PROVISIONAL)
            .withSettleNanos(60 * SECOND_NANOS));
    grow(log.length, entries(3));
    open();
    assertThat(values).hasSize(8);
    Files.setLastModifiedTime(pair.log(), FileTime.from(Instant.now().minusSeconds(61)));
    look();
    assertThat(values).containsExactly(ALL);
    assertThat(tail().isAtEnd()).isTrue();
  }

  @Test
  void anObstacleStopsUntilTheNextMilestoneIsKnown() throws IOException {
    int offset = (int) whole.eventOffset(1, 1);
    whole.putLogInt(offset, 61);
    load();
    grow(log.length, entries(2));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0);
    assertThat(tail().obstacle())
        .contains("offset=" + offset + ", found length=61 of BM_DCCT:LCUR");
    assertThat(damage).isEmpty();
    grow(log.length, entries(3));
    look();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.5, 3.0);
    assertThat(tail().obstacle()).isNull();
    assertThat(damage).hasSize(1);
    assertThat(damage.get(0).kind()).isEqualTo(Damage.Kind.STRETCH);
    assertThat(damage.get(0).offset()).isEqualTo(offset);
    assertThat(damage.get(0).bytes()).isEqualTo(28 + 36);
  }

  /** The lengths land on the milestone, so what is beside the event is undamaged. */
  @Test
  void nothingUndamagedIsLostBehindAnObstacle() throws IOException {
    whole.putLogInt(whole.eventOffset(1, 0) + 4, 77);
    load();
    grow(log.length, entries(2));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0);
    grow(log.length, entries(3));
    look();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 2.5, 3.0);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.EVENT);
  }

  @Test
  void anObstacleIsOvercomeByAnIndexThatWasAheadOfTheLog() throws IOException {
    whole.putLogInt(whole.eventOffset(1, 1), 61);
    load();
    grow((int) (long) whole.milestones.get(2), entries(3));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0);
    grow(log.length, entries(3));
    look();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.5, 3.0);
  }

  @Test
  void anImpossibleStateIsPassedOver() throws IOException {
    long offset = whole.eventOffset(1, 1);
    whole.putLog(offset + 16, (byte) 3);
    load();
    grow((int) whole.eventOffset(1, 2), entries(2));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0);
    grow(log.length, entries(2));
    look();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 2.5, 3.0);
    assertThat(damage).hasSize(1);
    assertThat(damage.get(0).offset()).isEqualTo(offset);
    assertThat(damage.get(0).kind()).isEqualTo(Damage.Kind.EVENT);
  }

  @Test
  void anImpossibleTimeIsPassedOver() throws IOException {
    whole.putLogInt(whole.eventOffset(2, 1) + 12, 1_000_000_000);
    load();
    grow(log.length, entries(2));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0, 3.0);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.EVENT);
  }

  /** A waveform of two that says it is one of three ends inside of the next milestone. */
  @Test
  void anEventThatRunsIntoAKnownMilestoneIsAnObstacle() throws IOException {
    whole.putLogInt(whole.eventOffset(1, 2), 44);
    load();
    grow(log.length, entries(2));
    open();
    grow(log.length, entries(3));
    look();
    assertThat(values).startsWith(0.0, 0.5, 1.0, 1.0, 1.5).endsWith(2.0, 2.5, 3.0);
    assertThat(damage).isNotEmpty();
  }

  @Test
  void aDamagedMilestoneIsOneIfTheIndexKnowsIt() throws IOException {
    whole.putLogInt(whole.milestones.get(1) + 16, 99);
    load();
    grow(log.length, entries(1));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0);
    assertThat(tail().obstacle()).contains("entry of BM_DCCT:HCUR");
    grow(log.length, entries(2));
    look();
    assertThat(values).containsExactly(ALL);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.MILESTONE);
  }

  @Test
  void anEntryThatLeadsToAnEventIsNoMilestone() throws IOException {
    whole.putIndexInt(whole.entryOffset(1) + 8, (int) whole.eventOffset(0, 1));
    load();
    grow((int) whole.eventOffset(0, 0), entries(1));
    open();
    grow((int) (long) whole.milestones.get(2), entries(2));
    look();
    grow(log.length, entries(2));
    look();
    assertThat(values).containsExactly(ALL);
  }

  /** What a milestone of a later index proves is what a scan would say of it. */
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
    // closed too early: it was only slow
    grow(log.length, entries(3));
    look();
    assertThat(values).containsExactly(ALL);
    assertThat(tail().isAtEnd()).isTrue();
  }

  @Test
  void whatIsLeftIsJudgedWhenThePairIsClosed() throws IOException {
    int offset = (int) whole.eventOffset(2, 0);
    whole.putLogInt(offset + 4, 77);
    load();
    grow(log.length, entries(3));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 1.5, 2.0);
    pair.close();
    tail().look();
    assertThat(tail().isUnchangedFor(3600 * SECOND_NANOS)).isTrue();
    tail().finish(pair.open());
    read();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.5, 3.0);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.EVENT);
  }

  @Test
  void aLogThatWasReplacedOrIsShorterIsSaid() throws IOException {
    grow(log.length, entries(3));
    open();
    Path other = root.resolve("other");
    Files.write(other, log);
    Files.move(other, pair.log(), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(tail()::look)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("replaced by another file");
    tail().close();
    open(tail().offset());
    assertThat(values).containsExactly(ALL);
    grow(log.length - 1, entries(3));
    assertThatThrownBy(tail()::look)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("shorter than it was");
    Files.delete(pair.log());
    assertThatThrownBy(tail()::look).isInstanceOf(UnavailableException.class);
  }
}
