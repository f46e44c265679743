package org.kblake.query.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.SECOND;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.value;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.log.LogWriter;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;

/** The events of one pair that a follower returns while its files change, disappear and return. */
final class FollowedPairTest extends GrowingGroup {

  @Test
  void eventsBeforeTheBeginAreLeftOut() throws Exception {
    LogWriter writer = begin(0, "A");
    write(writer, 1);
    write(writer, 5);
    follow(FollowQuery.of(ChannelSelection.all(GROUP), Instant.EPOCH).from(at(5)));
    assertThat(poll()).containsExactly(5.0);
    write(writer, 4);
    write(writer, 6);
    assertThat(poll()).containsExactly(6.0);
  }

  @Test
  void incompleteEndIsSkippedWhenThePairIsQuiet() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    follow();
    assertThat(poll()).containsExactly(1.0);
    first.rawBytes(new byte[] {0, 0, 0, 28, 0});
    first.flush();
    write(begin(60, "A"), 61);
    assertThat(poll()).isEmpty();
    quiet(0);
    assertThat(poll()).containsExactly(61.0);
    assertThat(notes()).singleElement().asString().contains("log is cut at its end");
  }

  /** A log is moved to another disk, and the link is changed. */
  @Test
  void changedLinkIsFollowedFromTheSameOffset() throws Exception {
    LogWriter writer = begin(0, "A");
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Path other = Files.createDirectory(directory.resolve("other"));
    Files.move(archive.log(0), disk.resolve("log"));
    Files.createSymbolicLink(archive.log(0), disk.resolve("log"));
    write(writer, 1);
    follow();
    assertThat(poll()).containsExactly(1.0);
    write(writer, 2);
    Files.copy(disk.resolve("log"), other.resolve("log"));
    Files.delete(archive.log(0));
    Files.createSymbolicLink(archive.log(0), other.resolve("log"));
    assertThat(poll()).containsExactly(2.0);
    write(writer, 3);
    Files.write(other.resolve("log"), Files.readAllBytes(disk.resolve("log")));
    assertThat(poll()).containsExactly(3.0);
    assertThat(notes()).isEmpty();
  }

  @Test
  void anotherPairOfTheSameNameIsFollowedFromItsBegin() throws Exception {
    write(begin(0, "A"), 1);
    follow();
    assertThat(poll()).containsExactly(1.0);
    Files.delete(archive.log(0));
    Files.delete(archive.index(0));
    LogWriter other = archive.begin(0, "A");
    writers.add(other);
    other.milestone(at(5));
    write(other, 6);
    assertThat(poll()).containsExactly(6.0);
    assertThat(notes()).singleElement().asString().startsWith("pair was replaced by another one");
  }

  @Test
  void missingVolumeIsReportedOnceAndFollowedWhenItReturns() throws Exception {
    LogWriter writer = begin(0, "A");
    write(writer, 1);
    follow();
    assertThat(poll()).containsExactly(1.0);
    Path volume = archive.log(0).getParent();
    Path away = directory.resolve("away");
    Files.move(volume, away);
    write(writer, 2);
    assertThat(poll()).isEmpty();
    assertThat(notes()).isNotEmpty().allMatch(note -> note.contains("unavailable"));
    assertThat(poll()).isEmpty();
    assertThat(notes()).isEmpty();
    Files.move(away, volume);
    write(writer, 3);
    assertThat(poll()).containsExactly(2.0, 3.0);
    assertThat(notes()).singleElement().asString().startsWith("pair can be read again");
  }

  /** The size of the log is visible before its bytes. */
  @Test
  void zerosAreAwaitedUntilTheyAreFilledIn() throws Exception {
    archive.with(
        ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL).withSettleNanos(3_600 * SECOND));
    LogWriter writer = begin(0, "A");
    write(writer, 1.5);
    follow();
    assertThat(poll()).containsExactly(1.5);
    long before = writer.logBytes();
    write(writer, 2.5);
    write(writer, 3.5);
    byte[] whole = Files.readAllBytes(archive.log(0));
    try (RandomAccessFile log = new RandomAccessFile(archive.log(0).toFile(), "rw")) {
      int half = (int) (whole.length - before) / 2;
      log.seek(before);
      log.write(new byte[2 * half]);
      assertThat(poll()).isEmpty();
      log.seek(before);
      log.write(whole, (int) before, half);
      assertThat(poll()).containsExactly(2.5);
      log.write(whole, (int) before + half, half);
      assertThat(poll()).containsExactly(3.5);
    }
    assertThat(notes()).isEmpty();
  }

  /** A damaged index is not read again for a second. */
  @Test
  void damagedIndexIsReadAgainAfterASecond() throws Exception {
    LogWriter writer = begin(0, "A");
    write(writer, 1);
    byte[] index = Files.readAllBytes(archive.index(0));
    byte[] damaged = index.clone();
    Arrays.fill(damaged, 0, 12, (byte) 0x55);
    Files.write(archive.index(0), damaged);
    follow();
    assertThat(poll()).isEmpty();
    assertThat(notes()).singleElement().asString().contains(archive.index(0).toString());
    Files.write(archive.index(0), index);
    assertThat(poll(0)).isEmpty();
    assertThat(poll(1)).containsExactly(1.0);
  }

  /** The log is shorter for a moment, while a part of the events that the poll found is read. */
  @Test
  void eventsThatWereGivenAreNotGivenAgainAfterAReadError() throws Exception {
    LogWriter writer = begin(0, "A");
    for (int i = 1; i <= 6_000; i++) {
      value(writer, 0, i / 1_000.0, i);
    }
    writer.flush();
    follow();
    FollowedGroupSource group = following().groups().get(0);
    group.poll(nowNanos);
    assertThat(group.next()).isTrue();
    int given = group.to() - group.from();
    byte[] log = Files.readAllBytes(archive.log(0));
    try (FileChannel file = FileChannel.open(archive.log(0), StandardOpenOption.WRITE)) {
      file.truncate(70_000);
      while (group.next()) {
        given += group.to() - group.from();
      }
      assertThat(given).isBetween(512, 5_000);
      file.write(ByteBuffer.wrap(log), 0);
    }
    assertThat(poll()).hasSize(6_000 - given).startsWith(given + 1.0).endsWith(6_000.0);
  }
}
