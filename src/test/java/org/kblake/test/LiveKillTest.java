package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.Archive;
import org.kblake.core.log.Pair;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.Block;
import org.kblake.core.store.EventColumns;
import org.kblake.core.store.Store;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ChannelSelection;
import org.kblake.query.EventCursor;
import org.kblake.query.EventQuery;
import org.kblake.query.UnknownChannelException;

/**
 * An archive that grows as seen over NFS, a process that follows it and is killed again and again,
 * and readers all the time: every answer is a prefix of the truth, and in the end everything is
 * there. The length in seconds is {@code -Dkblake.soak.seconds}.
 */
class LiveKillTest {

  private static final long SEED = 20161116;
  private static final int SECONDS = Integer.getInteger("kblake.soak.seconds", 40);
  private static final int EVENTS_PER_SECOND = 2_500;
  private static final int LONGEST_LIFE_MILLIS = 5_000;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

  /** What was written, what was seen and what was made of it is there to look at if it fails. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    processes.forEach(Process::destroyForcibly);
  }

  @Test
  void answersRightAtEveryMomentAndHasEverythingInTheEnd() throws Exception {
    Path truth = directory.resolve("truth");
    Path shown = Files.createDirectories(directory.resolve("shown"));
    Path store = directory.resolve("store");
    Path output = directory.resolve("output");
    Archive archive = Archive.open(shown, LiveProcess.ARCHIVE);
    SplittableRandom random = new SplittableRandom(SEED);
    Process writer =
        started(
            LiveProcess.start(
                KblogProcess.class,
                output,
                truth.toString(),
                shown.toString(),
                Long.toString(SEED),
                Integer.toString(SECONDS),
                Integer.toString(EVENTS_PER_SECOND)));
    int kills = 0;
    int answers = 0;
    while (writer.isAlive()) {
      // Of three lives two have a mirror, so that one goes on with what another one left.
      Process live =
          started(
              kills % 3 == 2
                  ? LiveProcess.start(shown, store, output)
                  : LiveProcess.startWithMirror(shown, store, directory.resolve("mirror"), output));
      long end =
          System.nanoTime()
              + TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(LONGEST_LIFE_MILLIS - 500));
      while (System.nanoTime() < end && writer.isAlive()) {
        Group group = KblogProcess.group(random.nextInt(KblogProcess.GROUPS));
        checkPrefix(shown, store, group);
        answers++;
      }
      assertThat(live.isAlive()).as(Files.readString(output)).isTrue();
      live.destroyForcibly().waitFor();
      kills++;
    }
    assertThat(writer.waitFor()).as(Files.readString(output)).isZero();
    Process live = started(LiveProcess.start(shown, store, output));
    awaitEverything(archive, store, output);
    live.destroy();
    live.waitFor();
    System.out.printf("seed=%d kills=%d answers=%d%n", SEED, kills, answers);
    assertThat(TestStores.verify(archive, store)).isEmpty();
    for (int i = 0; i < KblogProcess.GROUPS; i++) {
      Group group = KblogProcess.group(i);
      long events = checkPrefix(shown, store, group);
      assertThat(events)
          .as(group + " of seed " + SEED)
          .isEqualTo(
              NaiveReader.read(
                      truth,
                      group.toString(),
                      false,
                      KblogProcess.ZONE,
                      archive.settings().disorderBoundNanos())
                  .size());
    }
  }

  private Process started(Process process) {
    processes.add(process);
    return process;
  }

  /**
   * Every channel has counted without a gap, up to wherever it has come; but what of a pair is not
   * seen yet while the next one is may be missing, and the coverage report says so.
   *
   * @return how many events there are
   */
  private static long checkPrefix(Path root, Path store, Group group) throws IOException {
    ArchiveReader.Builder builder =
        ArchiveReader.builder().archive(root).settings(LiveProcess.ARCHIVE);
    if (Files.exists(store.resolve("kblake-store.properties"))) {
      builder.store(store);
    }
    Map<String, Long> counts = new HashMap<>();
    List<Long> gaps = new ArrayList<>();
    long events = 0;
    try (ArchiveReader reader = builder.open()) {
      if (!reader.groups().contains(group)) {
        return 0;
      }
      try (EventCursor cursor =
          reader.cursor(
              EventQuery.of(ChannelSelection.all(group))
                  .between(TimeRange.ALL)
                  .withStrays()
                  .allowIncomplete())) {
        while (cursor.next()) {
          String channel = cursor.channels().get(cursor.channel()).name();
          EventColumns columns = cursor.columns();
          for (int row = cursor.from(); row < cursor.to(); row++) {
            assertThat(columns.state[row]).isEqualTo((byte) EventState.VALUE_CODE);
            long value = value(columns, row);
            long before = counts.getOrDefault(channel, 0L);
            assertThat(value)
                .as("value of %s, event %d, seed %d", channel, events, SEED)
                .isGreaterThan(before);
            if (value != before + 1) {
              gaps.add(columns.timeNanos[row]);
            }
            counts.put(channel, value);
            events++;
          }
        }
        for (long gap : gaps) {
          assertThat(cursor.coverage().missing())
              .as("gap of %s before %d, seed %d", group, gap, SEED)
              .anyMatch(span -> span.range().fromNanos() <= gap);
        }
      }
    } catch (UnknownChannelException e) {
      // Of the first index not even the record table is seen yet.
      return 0;
    }
    return events;
  }

  private static long value(EventColumns columns, int row) {
    if (columns.type() == ValueType.STRING) {
      int from = columns.textStarts[row];
      return Long.parseLong(
          new String(
              columns.text, from, columns.textStarts[row + 1] - from, StandardCharsets.UTF_8));
    }
    long bits = columns.values[row];
    return switch (columns.type()) {
      case DOUBLE -> (long) Double.longBitsToDouble(bits);
      case FLOAT -> (long) Float.intBitsToFloat((int) bits);
      case LONG -> bits;
      case STRING, SHORT, ENUM, CHAR -> throw new IllegalStateException("does not count");
    };
  }

  private static void awaitEverything(Archive archive, Path storePath, Path output)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (missingBytes(archive, storePath) > 0) {
      assertThat(System.nanoTime())
          .as(missingBytes(archive, storePath) + " bytes missing; " + Files.readString(output))
          .isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static long missingBytes(Archive archive, Path storePath) throws IOException {
    long missing = 0;
    try (Store store = Store.open(storePath, null)) {
      for (Group group : archive.groups()) {
        for (Pair pair : archive.pairs(group)) {
          missing += Files.size(pair.logPath());
        }
        for (Block block : store.blocks(group, problem -> {})) {
          missing -= block.facts().rawBytes();
        }
      }
    }
    return missing;
  }
}
