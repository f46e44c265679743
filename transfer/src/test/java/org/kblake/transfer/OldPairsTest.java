package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;

/** Pairs before the one that grows: they arrive, and never stop it. */
@Timeout(180)
@SuppressWarnings("try") // collectors and builders work while they are open
class OldPairsTest {

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
  void theOldestPairComesAgainWhenItsFilesWereEmptied() throws Exception {
    write(log(0), "first");
    write(log(1), "second");
    try (Collector collector = ends.collector(source)) {
      transfer(collector, log(0), log(1));
      Files.writeString(target.resolve(log(0)), "wrong");
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("refusal", () -> ends.said("on the builder empty both files of the pair"));
        assertThat(builder.connected()).isEqualTo(1);
      }
      Files.writeString(target.resolve(log(0)), "");
      transfer(collector, log(0));
    }
  }

  @Test
  void pairsOfARightClockArriveAfterManyOfAClockThatWasAhead() throws Exception {
    write(log(0), "first");
    for (int i = 0; i < 72; i++) {
      write("VA/CCG_209901%02d%02d0000.log2".formatted(1 + i / 24, i % 24), "2099");
    }
    String past = "VA/CCG_20000101000000.log2";
    try (Collector collector = ends.collector(source)) {
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        awaitSame("VA/CCG_20990103230000.log2");
        write(log(1), "the clock is right");
        awaitSame(log(1));
        write(past, "the battery is empty");
        awaitSame(past);
        write(log(1), "the clock is right again");
        awaitSame(log(1));
        assertThat(builder.connected()).isEqualTo(1);
      }
      write(log(1), "the clock is right again, and the log grows while nobody looks");
      transfer(collector, log(1));
      assertThat(ends.said("are not compared, except the one that grows: group=VA/CCG")).isTrue();
    }
  }

  @Test
  void anOldPairThatWasCutIsLeftAlone() throws Exception {
    for (int i = 0; i < 5; i++) {
      write(log(i), "pair " + i);
    }
    try (Collector collector = ends.collector(source)) {
      transfer(collector, log(0), log(1), log(2), log(3), log(4));
      Files.writeString(source.resolve(log(0)), "");
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("report", () -> ends.said("the builder has more than this host"));
        write(log(4), "pair 4 grows");
        awaitSame(log(4));
        assertThat(builder.status().get(0).failed()).isEmpty();
      }
    }
    assertThat(target.resolve(log(0))).hasContent("pair 0");
  }

  @Test
  void anOldPairWithOtherBytesStopsNoLaterOne() throws Exception {
    for (int i = 0; i < 5; i++) {
      write(log(i), "pair " + i);
    }
    try (Collector collector = ends.collector(source)) {
      transfer(collector, log(0), log(1), log(2), log(3), log(4));
      write(log(1), "another log, and a longer one");
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("report", () -> ends.said("pair is left out, later ones are sent: group=VA"));
        write(log(4), "pair 4 grows");
        awaitSame(log(4));
        Files.writeString(target.resolve(log(1)), "");
        awaitSame(log(1));
        assertThat(builder.status().get(0).failed()).isEmpty();
      }
    }
  }

  @Test
  void theLogThatGrowsIsLookedAtAsOftenAfterOldPairsWereCopied() throws Exception {
    write(log(0), "first");
    write(log(4), "grows");
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      awaitSame(log(4));
      write(log(1), "restored");
      awaitSame(log(1));
      long nanos = 0;
      for (int i = 0; i < 6; i++) {
        // Longer than a log counts as growing
        Thread.sleep(1_500);
        long start = System.nanoTime();
        Files.writeString(source.resolve(log(4)), "!", StandardOpenOption.APPEND);
        awaitSame(log(4));
        nanos += System.nanoTime() - start;
      }
      assertThat(TimeUnit.NANOSECONDS.toMillis(nanos)).isLessThan(2_000);
      assertThat(builder.connected()).isEqualTo(1);
    }
  }

  @Test
  void aPowerCutOfTheCollectorStopsNoLaterPair() throws Exception {
    write(log(0), "all that was logged");
    try (Collector collector = ends.collector(source)) {
      transfer(collector, log(0));
    }
    Files.writeString(source.resolve(log(0)), "all that was");
    write(log(1), "after the power cut");
    try (Collector collector = ends.collector(source)) {
      transfer(collector, log(1));
    }
    assertThat(target.resolve(log(0))).hasContent("all that was logged");
    assertThat(ends.said("the builder has more than this host, which is kept: group=VA/CCG"))
        .isTrue();
  }

  private static String log(int second) {
    return "VA/CCG_2026010100000" + second + ".log2";
  }

  /** Connects until the builder has these files. */
  private void transfer(Collector collector, String... files) throws Exception {
    try (Gatherer builder = ends.builder(target, "b", collector.address())) {
      for (String file : files) {
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
