package org.kblake.query.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.SECOND;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.range;
import static org.kblake.query.internal.fixture.SmallArchive.value;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.fixture.PlanText;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;

/**
 * What following gives of one group, look after look. The test sets the time. A pair that is not
 * the newest and was not written to for a minute is complete.
 */
final class FollowedGroupSourceTest {

  private static final TimeRange ALWAYS = new TimeRange(at(-10_000), Long.MAX_VALUE);

  @TempDir private Path directory;

  private SmallArchive archive = new SmallArchive(Path.of("unset"));
  private final List<LogWriter> writers = new ArrayList<>();
  private @Nullable FollowSession following;
  private long nowNanos = 1_000 * SECOND;
  private int changes;

  @BeforeEach
  void make() {
    archive =
        new SmallArchive(directory)
            .with(ArchiveSettings.defaults().withTail(TailRule.FINAL).withSettleNanos(0));
  }

  @AfterEach
  void close() throws IOException {
    if (following != null) {
      following.close();
    }
    for (LogWriter writer : writers) {
      writer.close();
    }
  }

  /** A pair that grows. */
  private LogWriter begin(long minute, String... channels) throws IOException {
    LogWriter writer = archive.begin(minute, channels);
    writers.add(writer);
    writer.milestone(at(minute));
    writer.flush();
    isNoticed();
    return writer;
  }

  /** Writes an event of the first channel, whose value is its minute. */
  private static void write(LogWriter writer, double minute) throws IOException {
    value(writer, 0, minute, minute);
    writer.flush();
  }

  /** Changes the directory's time, even if the file system's clock has not advanced. */
  private void isNoticed() throws IOException {
    FileTime time = FileTime.fromMillis(1_600_000_000_000L + 1_000L * changes++);
    Files.setLastModifiedTime(archive.log(0).getParent(), time);
  }

  private static void age(Path file, long seconds) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
  }

  private void quiet(long minute) throws IOException {
    age(archive.index(minute), 61);
    age(archive.log(minute), 61);
  }

  private FollowSession following() {
    FollowSession open = following;
    if (open == null) {
      throw new IllegalStateException("not followed yet");
    }
    return open;
  }

  private void follow() throws IOException {
    follow(FollowQuery.of(ChannelSelection.all(GROUP), Instant.EPOCH).from(ALWAYS.fromNanos()));
  }

  private void follow(FollowQuery query) throws IOException {
    PairCatalog catalog = archive.catalog();
    Planner planner = SmallArchive.planner(catalog);
    FollowedChannels channels = new FollowedChannels(query.channels().patterns(), List.of());
    FollowSession opened = new FollowSession(query, catalog, planner, new ChunkReaders(), channels);
    following = opened;
    opened.add(
        planner.plan(
            planner.list(GROUP, ALWAYS, query.source()), ALWAYS, query.source(), at(10_000)));
  }

  /** The values that a look brings. */
  private List<Double> look() throws IOException {
    return look(1);
  }

  /** The values that a look brings so many seconds later. */
  private List<Double> look(long seconds) throws IOException {
    nowNanos += seconds * SECOND;
    FollowedGroupSource group = following().groups().get(0);
    group.look(nowNanos);
    List<Double> values = new ArrayList<>();
    while (group.next()) {
      for (int row = group.from(); row < group.to(); row++) {
        values.add(Double.longBitsToDouble(group.columns().values[row]));
      }
    }
    return values;
  }

  private List<String> notes() {
    return following().notes().take();
  }

  @Test
  void eachEventIsGivenOnceHistoryFirst() throws Exception {
    archive.pair(-120, 2);
    LogWriter writer = begin(0, "A", "B");
    write(writer, 1);
    writer.milestone(at(60));
    write(writer, 61);
    follow();
    assertThat(look()).containsExactly(-119.0, -59.0, 1.0, 61.0);
    assertThat(look()).isEmpty();
    write(writer, 62);
    write(writer, 63);
    assertThat(look()).containsExactly(62.0, 63.0);
    writer.milestone(at(120));
    write(writer, 121);
    assertThat(look()).containsExactly(121.0);
    assertThat(notes()).isEmpty();
  }

  /** History is read from columns up to the last milestone of the pair that grows. */
  @Test
  void historyIsReadFromColumns() throws Exception {
    archive.pair(-120, 2);
    LogWriter writer = begin(0, "A", "B");
    write(writer, 1);
    writer.milestone(at(60));
    write(writer, 61);
    archive.backfill(range(-10_000, 10_000));
    follow();
    assertThat(PlanText.of(following().ranges())).containsExactly("stored -120 -60", "stored 0");
    assertThat(look()).containsExactly(-119.0, -59.0, 1.0, 61.0);
  }

  /** kblog may append to the pair, so its last segment is followed. */
  @Test
  void pairThatIsWhollyInColumnsIsFollowedFromItsLastMilestone() throws Exception {
    archive.pair(0, 3).backfill(range(-100, 1_000));
    follow();
    assertThat(PlanText.of(following().ranges())).containsExactly("stored 0 60");
    assertThat(look()).containsExactly(1.0, 61.0, 121.0);
  }

  @Test
  void eventsBeforeTheBeginAreLeftOut() throws Exception {
    LogWriter writer = begin(0, "A");
    write(writer, 1);
    write(writer, 5);
    follow(FollowQuery.of(ChannelSelection.all(GROUP), Instant.EPOCH).from(at(5)));
    assertThat(look()).containsExactly(5.0);
    write(writer, 4);
    write(writer, 6);
    assertThat(look()).containsExactly(6.0);
  }

  @Test
  void newPairIsFollowedWhenTheOldOneIsRead() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(look()).containsExactly(1.0);
    write(first, 2);
    write(begin(60, "A"), 61);
    assertThat(look()).containsExactly(2.0, 61.0);
  }

  @Test
  void channelsOfANewPairAreFollowedIfAPatternMeansThem() throws Exception {
    write(begin(0, "A"), 1);
    follow(FollowQuery.of(ChannelSelection.glob("[AC]").in(GROUP), Instant.EPOCH).from(at(-100)));
    assertThat(look()).containsExactly(1.0);
    LogWriter second = begin(60, "B", "C");
    write(second, 61);
    value(second, 1, 62, 62);
    second.flush();
    assertThat(look()).containsExactly(62.0);
    assertThat(following().channels().all()).extracting("name").containsExactly("A", "C");
  }

  /** Several pairs were written between two looks. */
  @Test
  void backlogOfPairsIsGivenInLogOrder() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(look()).containsExactly(1.0);
    for (long minute = 240; minute >= 60; minute -= 60) {
      write(begin(minute, "A"), minute + 1);
    }
    write(first, 2);
    assertThat(look()).containsExactly(2.0, 61.0, 121.0, 181.0, 241.0);
    assertThat(notes()).isEmpty();
  }

  @Test
  void pairThatAppearsBeforeThoseThatAreFollowedIsSaid() throws Exception {
    write(begin(60, "A"), 61);
    follow();
    assertThat(look()).containsExactly(61.0);
    write(begin(0, "A"), 1);
    assertThat(look()).isEmpty();
    assertThat(notes())
        .singleElement()
        .asString()
        .startsWith("pair has appeared before those that are followed")
        .endsWith("file=" + archive.log(0));
    isNoticed();
    assertThat(look()).isEmpty();
    assertThat(notes()).isEmpty();
  }

  /** Over a network the next pair may be seen before the end of a log. */
  @Test
  void newPairWaitsForTheEndOfTheOldOne() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(look()).containsExactly(1.0);
    byte[] before = Files.readAllBytes(archive.log(0));
    write(first, 2);
    byte[] whole = Files.readAllBytes(archive.log(0));
    Files.write(archive.log(0), Arrays.copyOf(whole, before.length + 10));
    write(begin(60, "A"), 61);
    assertThat(look()).isEmpty();
    Files.write(archive.log(0), whole);
    assertThat(look()).containsExactly(2.0, 61.0);
  }

  @Test
  void endThatNeverComesIsGivenUpWhenThePairIsQuiet() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(look()).containsExactly(1.0);
    first.rawBytes(new byte[] {0, 0, 0, 28, 0});
    first.flush();
    write(begin(60, "A"), 61);
    assertThat(look()).isEmpty();
    quiet(0);
    assertThat(look()).containsExactly(61.0);
    assertThat(notes()).singleElement().asString().contains("log is cut at its end");
  }

  /** A log is moved to another disk, and the link is changed. */
  @Test
  void retargetedLinkIsFollowedWhereItWas() throws Exception {
    LogWriter writer = begin(0, "A");
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Path other = Files.createDirectory(directory.resolve("other"));
    Files.move(archive.log(0), disk.resolve("log"));
    Files.createSymbolicLink(archive.log(0), disk.resolve("log"));
    write(writer, 1);
    follow();
    assertThat(look()).containsExactly(1.0);
    write(writer, 2);
    Files.copy(disk.resolve("log"), other.resolve("log"));
    Files.delete(archive.log(0));
    Files.createSymbolicLink(archive.log(0), other.resolve("log"));
    assertThat(look()).containsExactly(2.0);
    write(writer, 3);
    Files.write(other.resolve("log"), Files.readAllBytes(disk.resolve("log")));
    assertThat(look()).containsExactly(3.0);
    assertThat(notes()).isEmpty();
  }

  @Test
  void anotherPairOfTheSameNameIsFollowedFromItsBegin() throws Exception {
    write(begin(0, "A"), 1);
    follow();
    assertThat(look()).containsExactly(1.0);
    Files.delete(archive.log(0));
    Files.delete(archive.index(0));
    LogWriter other = archive.begin(0, "A");
    writers.add(other);
    other.milestone(at(5));
    write(other, 6);
    assertThat(look()).containsExactly(6.0);
    assertThat(notes())
        .singleElement()
        .asString()
        .startsWith("another pair has taken this one's place");
  }

  @Test
  void volumeThatIsAwayIsSaidOnceAndGoneOnWithWhenItIsBack() throws Exception {
    LogWriter writer = begin(0, "A");
    write(writer, 1);
    follow();
    assertThat(look()).containsExactly(1.0);
    Path volume = archive.log(0).getParent();
    Path away = directory.resolve("away");
    Files.move(volume, away);
    write(writer, 2);
    assertThat(look()).isEmpty();
    assertThat(notes()).isNotEmpty().allMatch(note -> note.contains("unavailable"));
    assertThat(look()).isEmpty();
    assertThat(notes()).isEmpty();
    Files.move(away, volume);
    write(writer, 3);
    assertThat(look()).containsExactly(2.0, 3.0);
    assertThat(notes()).singleElement().asString().startsWith("pair can be read again");
  }

  /** A later pair waits a minute for a pair that cannot be read. */
  @Test
  void pairThatCannotBeReadIsPassedAfterAMinute() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(look()).containsExactly(1.0);
    write(first, 2);
    Path away = directory.resolve("log");
    Files.move(archive.log(0), away);
    write(begin(60, "A"), 61);
    assertThat(look()).isEmpty();
    assertThat(look(59)).isEmpty();
    assertThat(look(2)).containsExactly(61.0);
    // what comes of it later is given late
    Files.move(away, archive.log(0));
    assertThat(look(2)).containsExactly(2.0);
  }

  /** The size of the log is seen before its bytes. */
  @Test
  void zerosAreWaitedForUntilTheyAreFilledIn() throws Exception {
    archive.with(
        ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL).withSettleNanos(3_600 * SECOND));
    LogWriter writer = begin(0, "A");
    write(writer, 1.5);
    follow();
    assertThat(look()).containsExactly(1.5);
    long before = writer.logBytes();
    write(writer, 2.5);
    write(writer, 3.5);
    byte[] whole = Files.readAllBytes(archive.log(0));
    try (RandomAccessFile log = new RandomAccessFile(archive.log(0).toFile(), "rw")) {
      int half = (int) (whole.length - before) / 2;
      log.seek(before);
      log.write(new byte[2 * half]);
      assertThat(look()).isEmpty();
      log.seek(before);
      log.write(whole, (int) before, half);
      assertThat(look()).containsExactly(2.5);
      log.write(whole, (int) before + half, half);
      assertThat(look()).containsExactly(3.5);
    }
    assertThat(notes()).isEmpty();
  }

  /** When following begins only blocks have the pair. No event of them is given twice. */
  @Test
  void pairThatComesBackIsFollowedBehindItsBlocks() throws Exception {
    LogWriter writer = begin(0, "A");
    write(writer, 1);
    writer.milestone(at(60));
    write(writer, 61);
    archive.backfill(range(-100, 100));
    Path volume = archive.log(0).getParent();
    Path away = directory.resolve("away");
    Files.move(volume, away);
    follow();
    assertThat(look()).containsExactly(1.0);
    Files.move(away, volume);
    isNoticed();
    assertThat(look()).containsExactly(61.0);
    write(writer, 62);
    assertThat(look()).containsExactly(62.0);
  }

  /** A damaged index is not read again for a second. */
  @Test
  void damagedIndexIsTriedAgainAfterASecond() throws Exception {
    LogWriter writer = begin(0, "A");
    write(writer, 1);
    byte[] index = Files.readAllBytes(archive.index(0));
    byte[] damaged = index.clone();
    Arrays.fill(damaged, 0, 12, (byte) 0x55);
    Files.write(archive.index(0), damaged);
    follow();
    assertThat(look()).isEmpty();
    assertThat(notes()).singleElement().asString().contains(archive.index(0).toString());
    Files.write(archive.index(0), index);
    assertThat(look(0)).isEmpty();
    assertThat(look(1)).containsExactly(1.0);
  }
}
