package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.core.internal.log.pair.PairFixture.SECOND_NANOS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;

/** A tail waits for bytes that read as zeros, because a network file system may show them later. */
final class LogTailZerosTest extends GrowingTail {

  /** The size is visible before the bytes, which read as zeros from any byte on. */
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
      refresh();
      int end = bytes;
      while (end > 0 && written[end - 1] == 0) {
        end--;
      }
      assertThat(values).as("bytes=%d", bytes).isEqualTo(ALL.subList(0, eventsIn(end)));
    }
    // The last event ends in the zeros of 4.0.
    assertThat(values).hasSize(8);
    assertThat(tail().isAtEnd()).isFalse();
  }

  /**
   * A page of zeros has newer pages behind it. It begins anywhere, up to the middle of the second
   * milestone. Events behind it wait until it is filled in, and its zeros are not given.
   */
  @Test
  void aStalePageInTheMiddleIsAwaited() throws IOException {
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
      List<Double> before = ALL.subList(0, eventsIn(writtenBefore));
      log = written.clone();
      Arrays.fill(log, from, end, (byte) 0);
      grow(log.length, entries(3));
      open();
      assertThat(values).as("from=%d", from).isEqualTo(before);
      refresh();
      assertThat(values).as("from=%d", from).isEqualTo(before);
      log = written.clone();
      grow(log.length, entries(3));
      refresh();
      assertThat(values).as("from=%d, all written", from).isEqualTo(ALL);
      assertThat(damage).as("from=%d", from).isEmpty();
      close();
    }
  }

  /**
   * The milestone before the event is complete and has an index entry, so a segment begins there.
   */
  @Test
  void theFirstEventOfASegmentIsAwaitedIfAStalePageBeginsInIt() throws IOException {
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
      refresh();
      assertThat(values).as("from=%d, all written", from).contains(1.5, 3.0);
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
    refresh();
    assertThat(values).isEqualTo(ALL);
    assertThat(tail().isAtEnd()).isTrue();
  }
}
