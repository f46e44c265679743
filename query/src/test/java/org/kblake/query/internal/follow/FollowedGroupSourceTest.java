package org.kblake.query.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.range;
import static org.kblake.query.internal.fixture.SmallArchive.value;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.kblake.core.log.LogWriter;
import org.kblake.query.internal.fixture.PlanText;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;

/** The events of the pairs of one group that a follower returns, poll after poll. */
final class FollowedGroupSourceTest extends GrowingGroup {

  @Test
  void eachEventIsGivenOnceHistoryFirst() throws Exception {
    archive.pair(-120, 2);
    LogWriter writer = begin(0, "A", "B");
    write(writer, 1);
    writer.milestone(at(60));
    write(writer, 61);
    follow();
    assertThat(poll()).containsExactly(-119.0, -59.0, 1.0, 61.0);
    assertThat(poll()).isEmpty();
    write(writer, 62);
    write(writer, 63);
    assertThat(poll()).containsExactly(62.0, 63.0);
    writer.milestone(at(120));
    write(writer, 121);
    assertThat(poll()).containsExactly(121.0);
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
    assertThat(PlanText.of(following().report().ranges()))
        .containsExactly("stored -120 -60", "stored 0");
    assertThat(poll()).containsExactly(-119.0, -59.0, 1.0, 61.0);
  }

  /** kblog may append to the pair, so its last segment is followed. */
  @Test
  void pairInColumnsIsFollowedFromItsLastMilestone() throws Exception {
    archive.pair(0, 3).backfill(range(-100, 1_000));
    follow();
    assertThat(PlanText.of(following().report().ranges())).containsExactly("stored 0 60");
    assertThat(poll()).containsExactly(1.0, 61.0, 121.0);
  }

  @Test
  void newPairIsFollowedWhenTheOldOneIsRead() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(poll()).containsExactly(1.0);
    write(first, 2);
    write(begin(60, "A"), 61);
    assertThat(poll()).containsExactly(2.0, 61.0);
  }

  @Test
  void channelsOfANewPairAreFollowedIfAPatternMatchesThem() throws Exception {
    write(begin(0, "A"), 1);
    follow(FollowQuery.of(ChannelSelection.glob("[AC]").in(GROUP), Instant.EPOCH).from(at(-100)));
    assertThat(poll()).containsExactly(1.0);
    LogWriter second = begin(60, "B", "C");
    write(second, 61);
    value(second, 1, 62, 62);
    second.flush();
    assertThat(poll()).containsExactly(62.0);
    assertThat(following().channels().all()).extracting("name").containsExactly("A", "C");
  }

  /** Several pairs were written between two polls. */
  @Test
  void backlogOfPairsIsGivenInLogOrder() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(poll()).containsExactly(1.0);
    for (long minute = 240; minute >= 60; minute -= 60) {
      write(begin(minute, "A"), minute + 1.0);
    }
    write(first, 2);
    assertThat(poll()).containsExactly(2.0, 61.0, 121.0, 181.0, 241.0);
    assertThat(notes()).isEmpty();
  }

  @Test
  void pairThatAppearsBeforeTheFollowedPairsIsReported() throws Exception {
    write(begin(60, "A"), 61);
    follow();
    assertThat(poll()).containsExactly(61.0);
    write(begin(0, "A"), 1);
    assertThat(poll()).isEmpty();
    assertThat(notes())
        .singleElement()
        .asString()
        .startsWith("new pair lies before the followed pairs")
        .endsWith("file=" + archive.log(0));
    advanceDirectoryTime();
    assertThat(poll()).isEmpty();
    assertThat(notes()).isEmpty();
  }

  /** Over a network, the next pair may be visible before the end of a log. */
  @Test
  void newPairWaitsForTheEndOfTheOldOne() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(poll()).containsExactly(1.0);
    byte[] before = Files.readAllBytes(archive.log(0));
    write(first, 2);
    byte[] whole = Files.readAllBytes(archive.log(0));
    Files.write(archive.log(0), Arrays.copyOf(whole, before.length + 10));
    write(begin(60, "A"), 61);
    assertThat(poll()).isEmpty();
    Files.write(archive.log(0), whole);
    assertThat(poll()).containsExactly(2.0, 61.0);
  }

  /** A later pair waits a minute for a pair that cannot be read. */
  @Test
  void pairThatCannotBeReadIsPassedAfterAMinute() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(poll()).containsExactly(1.0);
    write(first, 2);
    Path away = directory.resolve("log");
    Files.move(archive.log(0), away);
    write(begin(60, "A"), 61);
    assertThat(poll()).isEmpty();
    assertThat(poll(59)).isEmpty();
    assertThat(poll(2)).containsExactly(61.0);
    // Later events of this pair are given late.
    Files.move(away, archive.log(0));
    assertThat(poll(2)).containsExactly(2.0);
  }

  /** When following begins, only blocks have the pair. No event of the blocks is given twice. */
  @Test
  void pairThatReturnsIsFollowedBehindItsBlocks() throws Exception {
    LogWriter writer = begin(0, "A");
    write(writer, 1);
    writer.milestone(at(60));
    write(writer, 61);
    archive.backfill(range(-100, 100));
    Path volume = archive.log(0).getParent();
    Path away = directory.resolve("away");
    Files.move(volume, away);
    follow();
    assertThat(poll()).containsExactly(1.0);
    Files.move(away, volume);
    advanceDirectoryTime();
    assertThat(poll()).containsExactly(61.0);
    write(writer, 62);
    assertThat(poll()).containsExactly(62.0);
  }
}
