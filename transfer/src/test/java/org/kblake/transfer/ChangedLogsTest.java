package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.build.GathererSettings.Limits;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;

/** Logs that are deleted, moved, begun again, or begun by a clock that is wrong. */
@Timeout(180)
@SuppressWarnings("try") // collectors and builders work while they are open
class ChangedLogsTest {

  private static final String FIRST = "VA/CCG_20260101000000.log2";
  private static final String SECOND = "VA/CCG_20260101000001.log2";
  private static final String THIRD = "VA/CCG_20260101000002.log2";
  private static final String FUTURE = "VA/CCG_20990101000000.log2";
  private static final String LATER_FUTURE = "VA/CCG_20990101000001.log2";

  @TempDir Path directory;

  private final Ends ends = new Ends();
  private Path source = Path.of("");
  private Path target = Path.of("");

  @BeforeEach
  void makeRoots() throws IOException {
    source = directory.resolve("source");
    Files.createDirectories(source.resolve("VA"));
    target = Files.createDirectory(directory.resolve("target"));
  }

  @Test
  void logsThatTheCollectorHasDeletedStopNothing() throws Exception {
    write(FIRST, "first");
    write(SECOND, "second");
    try (Collector collector = ends.collector(source)) {
      transfer(collector, FIRST, SECOND);
      Files.delete(source.resolve(FIRST));
      write(SECOND, "second grows");
      transfer(collector, SECOND);
      Files.delete(source.resolve(SECOND));
      write(THIRD, "third");
      transfer(collector, THIRD);
    }
    assertThat(target.resolve(FIRST)).hasContent("first");
    assertThat(target.resolve(SECOND)).hasContent("second grows");
    assertThat(ends.said("the builder's newest pair is not here any more: group=VA/CCG")).isTrue();
  }

  @Test
  void aPairThatWasMovedAwayComesAgain() throws Exception {
    write(FIRST, "first");
    write(SECOND, "second");
    write(THIRD, "third");
    try (Collector collector = ends.collector(source)) {
      transfer(collector, FIRST, SECOND, THIRD);
      Files.writeString(target.resolve(SECOND), "damage");
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("refusal", () -> ends.said("cannot send a group") && ends.said(SECOND));
        assertThat(builder.writtenBytes()).isZero();
      }
      Files.move(target.resolve(SECOND), directory.resolve("damaged"));
      write(THIRD, "third grows");
      transfer(collector, SECOND, THIRD);
    }
  }

  @Test
  void aPairThatIsShorterThanItsSuccessorsPermitIsCompleted() throws Exception {
    write(FIRST, "first");
    write(SECOND, "second");
    write(THIRD, "third");
    write(FUTURE, "future");
    try (Collector collector = ends.collector(source)) {
      transfer(collector, FIRST, SECOND, THIRD, FUTURE);
      Files.writeString(target.resolve(FIRST), "fi");
      transfer(collector, FIRST, FUTURE);
    }
  }

  @Test
  void pairsOfAClockThatWasAheadHoldNoLaterOnesUp() throws Exception {
    write(FIRST, "first");
    write(FUTURE, "2099");
    write(LATER_FUTURE, "2099 again");
    try (Collector collector = ends.collector(source)) {
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        awaitSame(LATER_FUTURE);
        write(SECOND, "the clock is right");
        awaitSame(SECOND);
        write(SECOND, "the clock is right, and the log grows");
        awaitSame(SECOND);
        assertThat(builder.connected()).isEqualTo(1);
      }
      write(SECOND, "the clock is right, and the log grows while nobody looks");
      write(THIRD, "third");
      transfer(collector, FIRST, SECOND, THIRD, FUTURE, LATER_FUTURE);
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("connection", () -> builder.connected() == 1);
        write(THIRD, "third grows although the builder's newest two are of 2099");
        awaitSame(THIRD);
      }
    }
  }

  @Test
  void aLogThatIsBegunAgainInPlaceIsRefusedAndNotContinued() throws Exception {
    write(FIRST, "a header, and the first events of this log");
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      awaitSame(FIRST);
      write(FIRST, "a header, and other events of a log that was begun within the same second");
      ends.await("refusal", () -> ends.said("the builder has other bytes: file="));
      assertThat(builder.connected()).isEqualTo(1);
    }
    assertThat(target.resolve(FIRST)).hasContent("a header, and the first events of this log");
  }

  @Test
  void logsOfAnotherHostAreNotMixedWithThoseOfTheBuilder() throws Exception {
    write(FIRST, "first");
    write(THIRD, "third");
    Files.createDirectory(target.resolve("VA"));
    Files.writeString(target.resolve(SECOND), "recorded by the builder itself");
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      ends.await("refusal", () -> ends.said("the builder has pairs of another log"));
      assertThat(builder.writtenBytes()).isZero();
    }
    assertThat(target.resolve(FIRST)).doesNotExist();
  }

  @Test
  void aBuilderGetsNoPairsOfBeforeItsTime() throws Exception {
    write(FIRST, "first");
    write(SECOND, "second");
    write(FUTURE, "2099");
    Limits limits = new Limits(Limits.none().groups(), 1 << 20, 1 << 20, () -> 20260101000100L);
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", limits, collector.address())) {
      awaitSame(FUTURE);
      awaitSame(SECOND);
      assertThat(builder.writtenBytes()).isEqualTo(10);
    }
    assertThat(target.resolve(FIRST)).doesNotExist();
  }

  /** Connects until the builder has these files. */
  private void transfer(Collector collector, String... files) throws Exception {
    try (Gatherer builder = ends.builder(target, "b", collector.address())) {
      for (String file : List.of(files)) {
        awaitSame(file);
      }
      assertThat(builder.connected()).isEqualTo(1);
    }
  }

  private void awaitSame(String file) throws Exception {
    ends.await(
        "the builder has all of " + file,
        () ->
            Files.exists(target.resolve(file))
                && Files.mismatch(source.resolve(file), target.resolve(file)) < 0);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(
        source.resolve(name), text, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }
}
