package org.kblake.test.read.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;
import org.kblake.test.fixture.TestStores;

/** Changes of an archive's files while it is followed. */
final class FollowTest {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final Group CCG = Group.parse("VA/CCG");
  private static final Group DCCT = Group.parse("BM/DCCT");
  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = 1_647_281_880L * SECOND;
  private static final Duration NEVER = Duration.ofDays(100);

  @TempDir Path directory;

  private Path root = Path.of("");
  private ArchiveSettings settings = ArchiveSettings.defaults();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void begin() {
    root = directory.resolve("archive");
  }

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  /** Writes a pair with one milestone. Its records are doubles, numbered in their order. */
  private LogWriter pair(Group group, long nanos, String... names) throws IOException {
    List<RecordEntry> entries = new ArrayList<>();
    for (String name : names) {
      entries.add(new RecordEntry(entries.size(), name, ValueType.DOUBLE, 1));
    }
    LogWriter writer =
        LogWriter.create(
            root, group, stamp(group, nanos), ByteOrder.BIG_ENDIAN, new RecordTable(entries));
    open.add(writer);
    writer.milestone(nanos);
    writer.flush();
    return writer;
  }

  private static String stamp(Group group, long nanos) {
    return PairName.at(group.name(), nanos, ZONE).stamp();
  }

  private Path log(Group group, long nanos) {
    return root.resolve(group.system())
        .resolve(new PairName(group.name(), stamp(group, nanos)).logFile());
  }

  private Path index(Group group, long nanos) {
    return root.resolve(group.system())
        .resolve(new PairName(group.name(), stamp(group, nanos)).indexFile());
  }

  private void number(LogWriter writer, int ordinal, long nanos, double value) throws IOException {
    writer.number(ordinal, nanos, 0, 0, Double.doubleToRawLongBits(value));
    writer.flush();
  }

  private EventFollower follow(FollowQuery query) throws IOException {
    ArchiveReader archive = ArchiveReader.builder().archive(root).settings(settings).open();
    open.add(archive);
    EventFollower follower = archive.follow(query);
    open.add(follower);
    return follower;
  }

  private static FollowQuery all() {
    return FollowQuery.of(ChannelSelection.glob("*"), Instant.EPOCH).polling(FollowQuery.MIN_POLL);
  }

  /** Returns channel and value of the events since the last call. */
  private static List<String> read(EventFollower follower)
      throws IOException, InterruptedException {
    List<String> read = new ArrayList<>();
    while (follower.next(Duration.ofMillis(11))) {
      for (int row = follower.from(); row < follower.to(); row++) {
        read.add(
            follower.channels().get(follower.channel()).name()
                + " "
                + Double.longBitsToDouble(follower.columns().values[row]));
      }
    }
    return read;
  }

  @Test
  void groupsAreMergedByTimeUpToTheirWrittenEvents() throws Exception {
    LogWriter ccg = pair(CCG, BEGIN, "P");
    LogWriter dcct = pair(DCCT, BEGIN, "I");
    number(ccg, 0, BEGIN + 1, 1);
    number(dcct, 0, BEGIN + 2, 2);
    number(ccg, 0, BEGIN + 3, 3);
    EventFollower follower = follow(all());
    assertThat(read(follower)).containsExactly("P 1.0", "I 2.0", "P 3.0");
    number(ccg, 0, BEGIN + 7, 7);
    number(dcct, 0, BEGIN + 6, 6);
    assertThat(read(follower)).containsExactly("I 6.0", "P 7.0");
    number(dcct, 0, BEGIN + 5, 5);
    assertThat(read(follower)).containsExactly("I 5.0");
    assertThat(read(follower)).isEmpty();
    assertThat(follower.notes()).isEmpty();
  }

  @Test
  void aNewPairAddsItsChannels() throws Exception {
    LogWriter first = pair(CCG, BEGIN, "P", "Q");
    EventFollower follower = follow(all());
    assertThat(read(follower)).isEmpty();
    number(first, 1, BEGIN + 1, 1);
    LogWriter second = pair(CCG, BEGIN + 60 * SECOND, "R", "Q");
    number(second, 0, BEGIN + 61 * SECOND, 2);
    number(second, 1, BEGIN + 62 * SECOND, 3);
    assertThat(read(follower)).containsExactly("Q 1.0", "R 2.0", "Q 3.0");
    assertThat(follower.channels())
        .extracting(channel -> channel.name())
        .containsExactly("P", "Q", "R");
  }

  /**
   * kblog closes a pair before it begins the next. Over a network, the end of the pair may become
   * visible later.
   */
  @Test
  void lateEventsOfAnOldPairAreGiven() throws Exception {
    LogWriter first = pair(CCG, BEGIN, "P");
    number(first, 0, BEGIN + 1, 1);
    EventFollower follower = follow(all());
    LogWriter second = pair(CCG, BEGIN + 60 * SECOND, "P");
    number(second, 0, BEGIN + 61 * SECOND, 3);
    assertThat(read(follower)).containsExactly("P 1.0", "P 3.0");
    number(first, 0, BEGIN + 2, 2);
    assertThat(read(follower)).containsExactly("P 2.0");
    number(second, 0, BEGIN + 62 * SECOND, 4);
    assertThat(read(follower)).containsExactly("P 4.0");
  }

  @Test
  void aNewPairWaitsForTheRestOfTheLastEventOfTheOldOne() throws Exception {
    LogWriter first = pair(CCG, BEGIN, "P");
    EventFollower follower = follow(all());
    first.rawBytes(new byte[] {0, 0, 0, 28, 0, 0, 0, 0, 1, 2, 3, 4});
    first.flush();
    LogWriter second = pair(CCG, BEGIN + 60 * SECOND, "P");
    number(second, 0, BEGIN + 61 * SECOND, 3);
    assertThat(read(follower)).isEmpty();
    FileTime old = FileTime.from(Instant.now().minusSeconds(61));
    Files.setLastModifiedTime(log(CCG, BEGIN), old);
    Files.setLastModifiedTime(index(CCG, BEGIN), old);
    assertThat(read(follower)).containsExactly("P 3.0");
    assertThat(follower.notes()).hasSize(1).first().asString().contains("log is cut at its end");
  }

  @Test
  void aVolumeThatDisappearsAndReturnsLosesNoEvent() throws Exception {
    LogWriter writer = pair(CCG, BEGIN, "P");
    number(writer, 0, BEGIN + 1, 1);
    EventFollower follower = follow(all());
    assertThat(read(follower)).containsExactly("P 1.0");
    Path away = directory.resolve("away");
    Files.move(root.resolve("VA"), away);
    number(writer, 0, BEGIN + 2, 2);
    assertThat(read(follower)).isEmpty();
    assertThat(read(follower)).isEmpty();
    assertThat(follower.notes()).hasSize(1).first().asString().contains("unavailable");
    Files.move(away, root.resolve("VA"));
    number(writer, 0, BEGIN + 3, 3);
    assertThat(read(follower)).containsExactly("P 2.0", "P 3.0");
    assertThat(follower.notes()).hasSize(1).first().asString().contains("can be read again");
  }

  /** Columns have the history. The follower waits for the archive and then gives the rest. */
  @Test
  void anArchiveThatIsMissingAtTheBeginningIsAwaited() throws Exception {
    LogWriter writer = pair(CCG, BEGIN, "P");
    number(writer, 0, BEGIN + 1, 1);
    writer.milestone(BEGIN + 60 * SECOND);
    number(writer, 0, BEGIN + 61 * SECOND, 2);
    Path store = directory.resolve("store");
    TestStores.backfill(Archive.open(root, settings), store);
    Path away = directory.resolve("away");
    Files.move(root, away);
    ArchiveReader archive =
        ArchiveReader.builder().archive(root).store(store).settings(settings).open();
    open.add(archive);
    EventFollower follower = archive.follow(all());
    open.add(follower);
    assertThat(read(follower)).containsExactly("P 1.0");
    assertThat(follower.coverage().isComplete()).isFalse();
    assertThat(follower.notes()).hasSize(1).first().asString().contains("unavailable");
    Files.move(away, root);
    assertThat(read(follower)).containsExactly("P 2.0");
    number(writer, 0, BEGIN + 62 * SECOND, 3);
    assertThat(read(follower)).containsExactly("P 3.0");
  }

  @Test
  void historyComesFromColumns() throws Exception {
    LogWriter writer = pair(CCG, BEGIN, "P");
    number(writer, 0, BEGIN + 1, 1);
    writer.milestone(BEGIN + 60 * SECOND);
    number(writer, 0, BEGIN + 61 * SECOND, 2);
    Path store = directory.resolve("store");
    TestStores.backfill(Archive.open(root, settings), store);
    // The part of the log that is in columns is not read any more.
    try (FileChannel log = FileChannel.open(log(CCG, BEGIN), StandardOpenOption.WRITE)) {
      long event = 16 + 28;
      log.write(ByteBuffer.wrap(new byte[28]), event);
    }
    ArchiveReader archive =
        ArchiveReader.builder().archive(root).store(store).settings(settings).open();
    open.add(archive);
    EventFollower follower = archive.follow(all());
    open.add(follower);
    assertThat(read(follower)).containsExactly("P 1.0", "P 2.0");
  }

  /** A log is moved to another disk, and the link to it is changed. */
  @Test
  void aChangedLinkIsFollowed() throws Exception {
    LogWriter writer = pair(CCG, BEGIN, "P");
    number(writer, 0, BEGIN + 1, 1);
    EventFollower follower = follow(all());
    assertThat(read(follower)).containsExactly("P 1.0");
    number(writer, 0, BEGIN + 2, 2);
    Path log = log(CCG, BEGIN);
    Path moved = directory.resolve("moved.log2");
    Files.copy(log, moved);
    Path link = directory.resolve("link");
    Files.createSymbolicLink(link, moved);
    Files.move(link, log, StandardCopyOption.REPLACE_EXISTING);
    assertThat(read(follower)).containsExactly("P 2.0");
    assertThat(follower.notes()).isEmpty();
  }

  @Test
  void anotherPairUnderTheSameNameIsFollowedFromItsBeginning() throws Exception {
    LogWriter writer = pair(CCG, BEGIN, "P");
    number(writer, 0, BEGIN + 1, 1);
    EventFollower follower = follow(all());
    assertThat(read(follower)).containsExactly("P 1.0");
    Path present = root;
    root = directory.resolve("other");
    LogWriter other = pair(CCG, BEGIN, "Q");
    number(other, 0, BEGIN + 1, 7);
    Files.move(
        index(CCG, BEGIN),
        present.resolve(root.relativize(index(CCG, BEGIN))),
        StandardCopyOption.REPLACE_EXISTING);
    Files.move(
        log(CCG, BEGIN),
        present.resolve(root.relativize(log(CCG, BEGIN))),
        StandardCopyOption.REPLACE_EXISTING);
    root = present;
    assertThat(read(follower)).containsExactly("Q 7.0");
    assertThat(follower.notes()).hasSize(1).first().asString().contains("another one");
  }

  @Test
  void aLogThatBecomesShorterIsAwaited() throws Exception {
    LogWriter writer = pair(CCG, BEGIN, "P");
    number(writer, 0, BEGIN + 1, 1);
    EventFollower follower = follow(all());
    assertThat(read(follower)).containsExactly("P 1.0");
    byte[] bytes = Files.readAllBytes(log(CCG, BEGIN));
    Files.write(log(CCG, BEGIN), new byte[0]);
    assertThat(read(follower)).isEmpty();
    assertThat(follower.notes()).hasSize(1).first().asString().contains("has become shorter");
    Files.write(log(CCG, BEGIN), bytes);
    number(writer, 0, BEGIN + 2, 2);
    assertThat(read(follower)).containsExactly("P 2.0");
  }

  @Test
  void damageIsSkippedAndReported() throws Exception {
    LogWriter writer = pair(CCG, BEGIN, "P");
    EventFollower follower = follow(all());
    number(writer, 0, BEGIN + 1, 1);
    writer.rawBytes(new byte[] {0, 0, 0, 28, 9, 9, 9, 9, 1, 2, 3, 4});
    number(writer, 0, BEGIN + 2, 2);
    assertThat(read(follower)).containsExactly("P 1.0");
    assertThat(follower.notes()).hasSize(1).first().asString().contains("log is not read further");
    writer.milestone(BEGIN + 60 * SECOND);
    number(writer, 0, BEGIN + 61 * SECOND, 3);
    assertThat(read(follower)).containsExactly("P 3.0");
    assertThat(follower.notes()).hasSize(1).first().asString().contains("damaged stretch");
  }

  @Test
  void aClockSetBackHidesNoEvent() throws Exception {
    LogWriter writer = pair(CCG, BEGIN, "P");
    EventFollower follower = follow(all());
    number(writer, 0, BEGIN + 1, 1);
    number(writer, 0, BEGIN - 3600 * SECOND, 2);
    assertThat(read(follower)).containsExactly("P 1.0", "P 2.0");
    writer.milestone(BEGIN - 3500 * SECOND);
    number(writer, 0, BEGIN - 3400 * SECOND, 3);
    assertThat(read(follower)).containsExactly("P 3.0");
  }

  @Test
  void timeoutWithoutEventsReturnsFalse() throws Exception {
    pair(CCG, BEGIN, "P");
    EventFollower follower = follow(all());
    assertThat(follower.next(Duration.ZERO)).isFalse();
    assertThat(follower.next(Duration.ofMillis(30))).isFalse();
  }

  @Test
  void closeEndsAWaitAtOnce() throws Exception {
    pair(CCG, BEGIN, "P");
    EventFollower follower = follow(all().polling(Duration.ofDays(1)));
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread waiting = waitFor(follower, end);
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    follower.close();
    waiting.join();
    assertThat(end.get()).isInstanceOf(IOException.class).hasMessageContaining("closed");
    assertThatThrownBy(() -> follower.next(Duration.ZERO)).hasMessageContaining("closed");
  }

  @Test
  void anInterruptEndsAWaitAtOnce() throws Exception {
    pair(CCG, BEGIN, "P");
    EventFollower follower = follow(all().polling(Duration.ofDays(1)));
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread waiting = waitFor(follower, end);
    waiting.interrupt();
    waiting.join();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
  }

  private static Thread waitFor(EventFollower follower, AtomicReference<Throwable> end) {
    Thread waiting =
        new Thread(
            () -> {
              try {
                follower.next(NEVER);
              } catch (IOException | InterruptedException | RuntimeException e) {
                end.set(e);
              }
            });
    waiting.start();
    return waiting;
  }
}
