package org.kblake.test.read.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.UnavailableException;
import org.kblake.query.ArchiveReader;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.FailingReads;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.oracle.HeldLines;

/**
 * One read of a volume fails and all others succeed. The answer is the same, or reports missing
 * data. The test repeats this for each read.
 */
final class SingleFailedReadTest {

  @TempDir Path directory;

  /** The instant lies between two pairs with different channels. */
  @Test
  void heldValuesReportThatChannelsMayBeMissing() throws IOException {
    Path root = TestStores.sample("mixed", directory.resolve("archive"));
    FailingReads volume = new FailingReads(root);
    GuardedProvider files = new GuardedProvider(root, volume);
    HeldQuery query =
        HeldQuery.of(ChannelSelection.glob("VA*"), Instant.parse("2016-05-15T15:39:00Z"))
            .allowIncomplete();
    volume.failAfter(Long.MAX_VALUE);
    List<String> whole = HeldLines.of(read(files.path(root), query));
    assertThat(whole).hasSizeGreaterThan(20);
    long reads = volume.reads();
    int missing = 0;
    for (long k = 0; k < reads; k++) {
      volume.failOnce(k);
      try {
        HeldValues values = read(files.path(root), query);
        if (values.coverage().isComplete()) {
          assertThat(HeldLines.of(values)).as("read %d of %d", k, reads).isEqualTo(whole);
        } else {
          missing++;
        }
      } catch (UnavailableException e) {
        assertThat(e).hasMessageContaining(FailingReads.REASON);
      }
    }
    assertThat(missing).as("answers that report missing channels").isPositive();
  }

  /** The instant lies behind a pair that has channels which the next pair does not have. */
  @Test
  void lookUpReportsThatChannelsMayBeMissing() throws IOException {
    Path root = TestStores.sample("mixed", directory.resolve("archive"));
    FailingReads volume = new FailingReads(root);
    GuardedProvider files = new GuardedProvider(root, volume);
    volume.failAfter(Long.MAX_VALUE);
    FoundChannels whole = find(files.path(root));
    assertThat(whole.channels()).hasSizeGreaterThan(20);
    assertThat(whole.unread()).isEmpty();
    long reads = volume.reads();
    int missing = 0;
    for (long k = 0; k < reads; k++) {
      volume.failOnce(k);
      try {
        FoundChannels found = find(files.path(root));
        if (found.unread().isEmpty()) {
          assertThat(found.channels()).as("read %d of %d", k, reads).isEqualTo(whole.channels());
        } else {
          missing++;
        }
      } catch (UnavailableException e) {
        assertThat(e).hasMessageContaining(FailingReads.REASON);
      }
    }
    assertThat(missing).as("answers that report unread times").isPositive();
  }

  private static FoundChannels find(Path root) throws IOException {
    Instant from = Instant.parse("2016-05-15T15:39:00Z");
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).open()) {
      return reader.find(
          EventQuery.of(ChannelSelection.glob("VA*")).between(from, from.plusSeconds(1)));
    }
  }

  private static HeldValues read(Path root, HeldQuery query) throws IOException {
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).open()) {
      return reader.held(query);
    }
  }
}
