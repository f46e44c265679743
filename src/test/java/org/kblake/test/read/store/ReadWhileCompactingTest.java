package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.HeldLines;

/**
 * Blocks are made, merged, evicted and made again while readers are open. Each answer is that of
 * the raw log. Blocks in the trash are deleted at once here. A store keeps them for a quarter of an
 * hour.
 */
final class ReadWhileCompactingTest {

  private static final int READERS = 3;
  private static final int ROUNDS = Seeds.cases(2, 4);
  private static final Instant FROM = Instant.parse("2016-05-15T15:00:00Z");
  private static final Instant TO = Instant.parse("2016-05-15T16:00:00Z");

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path store = Path.of("");

  @Test
  void answersAreAlwaysThoseOfTheRawLog() throws Exception {
    long seed = Seeds.one("reads while blocks are merged");
    root = TestStores.sample("mixed", directory.resolve("archive"));
    store = directory.resolve("store");
    ArchiveSettings settings =
        ArchiveSettings.defaults().withDisorderBoundNanos(TimeUnit.SECONDS.toNanos(1));
    Archive archive = Archive.open(root, settings);
    List<String> raw;
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).settings(settings).open()) {
      raw = everything(reader);
    }
    assertThat(raw).hasSizeGreaterThan(1000);
    SplittableRandom random = new SplittableRandom(seed);
    TestStores.backfillInSteps(archive, store, 4, random);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger answers = new AtomicInteger();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    int merges = 0;
    try (ArchiveReader reader =
        ArchiveReader.builder().archive(root).store(store).settings(settings).open()) {
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        Thread thread =
            new Thread(
                () -> {
                  while (!ended.get()) {
                    try {
                      assertThat(everything(reader)).isEqualTo(raw);
                      answers.incrementAndGet();
                    } catch (IOException | RuntimeException | AssertionError e) {
                      failures.add(e);
                    }
                  }
                });
        readers.add(thread);
        thread.start();
      }
      for (int round = 0; round < ROUNDS || answers.get() < 3 * READERS; round++) {
        TestStores.backfillInSteps(archive, store, 4, random);
        merges += mergeAndEvict(archive, random);
      }
      ended.set(true);
      for (Thread thread : readers) {
        thread.join();
      }
      assertThat(failures).as("seed %s", seed).isEmpty();
      assertThat(everything(reader)).isEqualTo(raw);
    }
    System.out.println("seed " + seed + ": " + merges + " merges, " + answers + " answers");
    assertThat(merges).as("seed %s", seed).isGreaterThan(ROUNDS);
  }

  /** Merges neighbours until none are left, then evicts the last block of each group. */
  private int mergeAndEvict(Archive archive, SplittableRandom random) throws Exception {
    int merges = 0;
    try (Store opened = TestStores.storeForWriting(archive, store)) {
      for (Group group : opened.groups()) {
        List<Block> blocks = opened.blocks(group, problem -> {});
        while (blocks.size() > 1) {
          int from = random.nextInt(blocks.size() - 1);
          int to = from + 2 + random.nextInt(blocks.size() - from - 1);
          TestStores.compact(archive, opened, blocks.subList(from, to));
          merges++;
          unlinkTrash();
          blocks = opened.blocks(group, problem -> {});
        }
        for (Block block : blocks) {
          opened.discard(block);
        }
        unlinkTrash();
      }
    }
    return merges;
  }

  private void unlinkTrash() throws IOException {
    Path trash = store.resolve("trash");
    if (Files.exists(trash)) {
      try (Stream<Path> files = Files.walk(trash)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Reads events, held values and a grid. */
  private static List<String> everything(ArchiveReader reader) throws IOException {
    ChannelSelection all = ChannelSelection.glob("*");
    List<String> lines = new ArrayList<>();
    lines.addAll(AnswerLines.read(reader, EventQuery.of(all).between(FROM, TO)).events());
    lines.addAll(HeldLines.of(reader.held(HeldQuery.of(all, FROM.plusSeconds(2000)))));
    lines.addAll(
        GridLines.read(reader, GridQuery.of(all, FROM, TO, Duration.ofMinutes(1))).values());
    return lines;
  }
}
