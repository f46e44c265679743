package org.kblake.core.internal.log.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a directory has to be listed for new names. */
final class DirectoryPollTest {

  private static final long BEGIN = -5;

  @TempDir Path directory;

  private DirectoryPoll poll;

  @BeforeEach
  void begin() {
    poll = new DirectoryPoll(directory, FileAccess.WAITING);
    assertThat(poll.isDue(BEGIN)).as("the first listing").isTrue();
  }

  private static long after(int seconds) {
    return BEGIN + TimeUnit.SECONDS.toNanos(seconds);
  }

  /** The second file may come within the tick of the clock in which the first was seen. */
  @Test
  void aChangedDirectoryIsListedAtOnceAndTwoSecondsLater() throws IOException {
    assertThat(poll.isDue(after(1))).isFalse();
    assertThat(poll.isDue(after(2))).isTrue();
    change();
    assertThat(poll.isDue(after(3))).isTrue();
    assertThat(poll.isDue(after(4))).isFalse();
    assertThat(poll.isDue(after(5))).isTrue();
    assertThat(poll.isDue(after(6))).isFalse();
  }

  @Test
  void anUnchangedDirectoryIsListedOnceAMinute() {
    assertThat(poll.isDue(after(2))).isTrue();
    assertThat(poll.isDue(after(61))).isFalse();
    assertThat(poll.isDue(after(62))).isTrue();
    assertThat(poll.isDue(after(121))).isFalse();
    assertThat(poll.isDue(after(122))).isTrue();
  }

  @Test
  void aFailedListingIsDueAgain() {
    poll.failed();
    assertThat(poll.isDue(after(0))).isTrue();
    assertThat(poll.isDue(after(1))).isFalse();
  }

  @Test
  void aDirectoryThatGoesAndComesIsListed() throws IOException {
    assertThat(poll.isDue(after(2))).isTrue();
    Files.delete(directory);
    assertThat(poll.isDue(after(3))).isTrue();
    Files.createDirectory(directory);
    assertThat(poll.isDue(after(4))).isTrue();
  }

  /** The error of the look is not the caller's: the listing that follows has one of its own. */
  @Test
  void aDirectoryThatDoesNotAnswerIsListed() {
    FileAccess silent =
        new FileAccess() {
          @Override
          public <T> T call(Path file, Call<T> call) throws IOException {
            throw new AccessTimeoutException("no answer");
          }
        };
    assertThat(new DirectoryPoll(directory, silent).isDue(BEGIN)).isTrue();
  }

  private void change() throws IOException {
    Files.setLastModifiedTime(directory, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
  }
}
