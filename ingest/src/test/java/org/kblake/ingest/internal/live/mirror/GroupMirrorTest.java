package org.kblake.ingest.internal.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.FIRST;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.GROUP;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.RECHECK;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.SECOND;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.work;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.Counters;

/** The pairs of a group that have copies, and for how long. */
final class GroupMirrorTest {

  @TempDir private Path directory;

  private MirrorFixture fixture = new MirrorFixture(Path.of(""));

  @BeforeEach
  void makeFixture() {
    fixture = new MirrorFixture(directory);
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  /**
   * Only the newest pair gets a copy. Older pairs keep the copies that they got when they were
   * newest.
   */
  @Test
  void pairThatWasNeverTheNewestIsNotCopied() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    fixture.write(GROUP, SECOND, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupMirror copies = fixture.groupMirror(work(context, GROUP));
    copies.update(true);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
    assertThat(fixture.copied(GROUP, SECOND)).isEqualTo(Files.size(fixture.log(GROUP, SECOND)));
  }

  /** Its blocks are compared with the log before the copy is removed. */
  @Test
  void copyOfAPairInBlocksIsRemovedAfterThreeComparisons() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupWork work = work(context, GROUP);
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    fixture.close(GROUP, FIRST);
    fixture.write(GROUP, SECOND, 2);
    fixture.room.set(1L << 30, 0, 0);
    for (int i = 0; i < 2; i++) {
      // First the pair is sealed, then the follower notices it.
      assertThat(work.poll()).isTrue();
      work.run();
    }
    boolean unused = work.poll();
    assertThat(Objects.requireNonNull(work.openPairs()))
        .singleElement()
        .satisfies(pair -> assertThat(pair.stamp()).isEqualTo(SECOND));
    copies.update(true);
    assertThat(fixture.problems.messages()).isEmpty();
    fixture.nowNanos += 3 * RECHECK.toNanos() - 1;
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    fixture.nowNanos++;
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
    assertThat(fixture.copied(GROUP, SECOND)).isPositive();
  }

  /** The problem is reported, and writing is tried again ten seconds later. */
  @Test
  void mirrorThatCannotBeWrittenIsTriedAgain() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupMirror copies = fixture.groupMirror(work(context, GROUP));
    Path obstacle = fixture.mirror.resolve(GROUP.system());
    Files.createFile(obstacle);
    copies.update(true);
    assertThat(fixture.problems.messages())
        .singleElement()
        .asString()
        .startsWith("mirror cannot be written, logs are read from the archive");
    Files.delete(obstacle);
    fixture.nowNanos += Duration.ofSeconds(10).toNanos() - 1;
    copies.update(true);
    assertThat(fixture.problems.messages()).hasSize(1);
    fixture.nowNanos++;
    copies.update(true);
    assertThat(fixture.problems.messages()).isEmpty();
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(Files.size(fixture.log(GROUP, FIRST)));
  }

  /** The follower of the group reports the problem. */
  @Test
  void missingArchiveIsNoProblemOfTheMirror() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupMirror copies = fixture.groupMirror(work(context, GROUP));
    copies.update(true);
    copies.update(true);
    long before = fixture.copied(GROUP, FIRST);
    Path away = directory.resolve("away");
    Files.move(fixture.root, away);
    copies.update(true);
    assertThat(fixture.problems.messages()).isEmpty();
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(before);
    Files.move(away, fixture.root);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(before);
    assertThat(fixture.counters.get(Counters.Count.MIRROR_DIFFERENCES)).isZero();
  }

  /** The earlier process ended while the copies were still needed. */
  @Test
  void copiesOfAnEarlierProcessAreRemoved() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupWork work = work(context, GROUP);
    GroupMirror before = fixture.groupMirror(work);
    before.update(true);
    before.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    fixture.close(GROUP, FIRST);
    fixture.write(GROUP, SECOND, 2);
    fixture.room.set(1L << 30, 0, 0);
    MirrorFixture.seal(work);
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    fixture.nowNanos += 3 * RECHECK.toNanos();
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
  }

  /** A block of it was lost. The comparisons of the new block begin later. */
  @Test
  void copyOfAPairThatWasNeededAgainIsRemovedThreeComparisonsLater() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupWork work = work(context, GROUP);
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    copies.update(true);
    fixture.close(GROUP, FIRST);
    fixture.write(GROUP, SECOND, 2);
    fixture.room.set(1L << 30, 0, 0);
    MirrorFixture.seal(work);
    copies.update(true);
    fixture.nowNanos += 2 * RECHECK.toNanos();
    work.refreshAfterRemoval();
    boolean unused = work.poll();
    assertThat(work.openPairs()).hasSize(2);
    copies.update(true);
    MirrorFixture.seal(work);
    assertThat(work.openPairs()).hasSize(1);
    copies.update(true);
    fixture.nowNanos += 3 * RECHECK.toNanos() - 1;
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    fixture.nowNanos++;
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
  }

  /** A pair may be written to for a while after the next pair began. */
  @Test
  void copyOfAPairThatWasTheNewestGrowsFurther() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupWork work = work(context, GROUP);
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    copies.update(true);
    fixture.write(GROUP, SECOND, 2);
    fixture.append(FIRST);
    boolean unused = work.poll();
    assertThat(work.openPairs()).hasSize(2);
    copies.update(true);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(Files.size(fixture.log(GROUP, FIRST)));
    assertThat(fixture.copied(GROUP, SECOND)).isPositive();
  }

  /** The pairs are unknown before the group is polled. */
  @Test
  void groupWhosePairsAreUnknownIsNoProblem() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    GroupWork work = new GroupWork(fixture.context(0, true, Map.of()), GROUP);
    assertThat(work.openPairs()).isNull();
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    copies.update(true);
    assertThat(fixture.problems.messages()).isEmpty();
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
  }

  /** The copy costs no reads of the archive in between. */
  @Test
  void copyIsComparedWhenTheRecheckTimeIsOver() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupMirror copies = fixture.groupMirror(work(context, GROUP));
    copies.update(true);
    copies.update(true);
    long read = fixture.counters.get(Counters.Count.MIRROR_READ_BYTES);
    fixture.nowNanos += RECHECK.toNanos() - 1;
    copies.update(true);
    assertThat(fixture.counters.get(Counters.Count.MIRROR_READ_BYTES)).isEqualTo(read);
    fixture.nowNanos++;
    copies.update(true);
    assertThat(fixture.counters.get(Counters.Count.MIRROR_READ_BYTES)).isGreaterThan(read);
    assertThat(fixture.counters.get(Counters.Count.MIRROR_DIFFERENCES)).isZero();
  }

  /** The bytes that made the block differ may be in the copy, too. */
  @Test
  void copyIsComparedAtOnceIfABlockOfThePairWasDiscarded() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    fixture.room.set(1L << 30, 0, 0);
    MirrorFixture.seal(work(context, GROUP));
    context.store().close();
    // Blocks are compared when they are older than the recheck time.
    fixture.clock = Clock.offset(Clock.systemUTC(), RECHECK.plusMinutes(1));
    FollowContext later = fixture.context(0, true, Map.of());
    GroupWork work = work(later, GROUP);
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    try (RandomAccessFile log = new RandomAccessFile(fixture.log(GROUP, FIRST).toFile(), "rw")) {
      // In the first segment. The last one is not in the block.
      log.seek(log.length() / 4);
      log.write(17);
    }
    work.run();
    assertThat(fixture.counters.get(Counters.Count.REMADE_BLOCKS)).isOne();
    assertThat(fixture.counters.get(Counters.Count.MIRROR_DIFFERENCES)).isZero();
    copies.update(true);
    assertThat(fixture.counters.get(Counters.Count.MIRROR_DIFFERENCES)).isOne();
  }

  /** The service ends. */
  @Test
  void interruptIsNoProblemOfTheMirror() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupMirror copies = fixture.groupMirror(work(context, GROUP));
    Thread.currentThread().interrupt();
    try {
      copies.update(true);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(fixture.problems.messages()).isEmpty();
    copies.update(true);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
  }

  /** Copies two pairs. Then the directory of their copies is missing, and an update fails. */
  private GroupMirror failedMirror(Path away) throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupWork work = work(context, GROUP);
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    copies.update(true);
    fixture.write(GROUP, SECOND, 2);
    boolean unused = work.poll();
    copies.update(true);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    assertThat(fixture.copied(GROUP, SECOND)).isPositive();
    Path present = fixture.mirror.resolve(GROUP.system());
    Files.move(present, away);
    Files.createFile(present);
    fixture.append(FIRST);
    fixture.append(SECOND);
    unused = work.poll();
    copies.update(true);
    assertThat(fixture.problems.messages()).hasSize(1);
    Files.delete(present);
    fixture.nowNanos += Duration.ofSeconds(10).toNanos();
    return copies;
  }

  /** The same disk is mounted again. */
  @Test
  void copiesOfAllPairsGrowFurtherAfterAFailure() throws Exception {
    Path away = directory.resolve("away");
    GroupMirror copies = failedMirror(away);
    Files.move(away, fixture.mirror.resolve(GROUP.system()));
    copies.update(true);
    copies.update(true);
    assertThat(fixture.problems.messages()).isEmpty();
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(Files.size(fixture.log(GROUP, FIRST)));
    assertThat(fixture.copied(GROUP, SECOND)).isEqualTo(Files.size(fixture.log(GROUP, SECOND)));
  }

  /** Another disk is mounted. An older pair has no copy there, as at the start of a process. */
  @Test
  void newestPairIsCopiedAnewAfterALossOfTheCopies() throws Exception {
    GroupMirror copies = failedMirror(directory.resolve("away"));
    copies.update(true);
    copies.update(true);
    assertThat(fixture.problems.messages()).isEmpty();
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
    assertThat(fixture.copied(GROUP, SECOND)).isEqualTo(Files.size(fixture.log(GROUP, SECOND)));
  }
}
