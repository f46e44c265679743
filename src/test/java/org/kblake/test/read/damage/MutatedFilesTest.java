package org.kblake.test.read.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.TimeRange;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.MutatedFile;
import org.kblake.test.fixture.archive.RandomArchive;

/**
 * Any file of a small archive, of its store, or of its mirror has random bytes changed, removed or
 * added. Every command ends in time and with a documented status. A changed store or mirror alters
 * no answer. From a changed archive an answer has no event that neither the archive had before, nor
 * has now, and an answer that calls itself complete lacks none that it had before and has now.
 */
final class MutatedFilesTest {

  private static final int ARCHIVES = Seeds.cases(1, 2);
  private static final int MUTATIONS = 8;
  private static final int DEADLINE_SECONDS = 120;
  private static final String GROUP = RandomArchive.SMALL_GROUP.toString();
  private static final String RANGE = "--from 2019-12-01 --to 2020-03-01";

  /** Questions for events. */
  private static final List<String> EVENTS =
      List.of(
          "get -q -f csv -g " + GROUP + " * " + RANGE,
          "kblogrd -t 20191201000000-20200301000000 " + GROUP);

  /** A table, which has millions of columns if a record table says so. */
  private static final String CHANGES =
      "kblogrd -f kaleida -t 20191201000000-20200301000000 " + GROUP;

  /** Questions for values that are held. */
  private static final List<String> HELD =
      List.of(
          "get -q -f csv -g " + GROUP + " * --at 2020-01-01T12:00",
          "get -q -f csv -g " + GROUP + " * --wide --every 1h --from 2019-12-31 --to 2020-01-03",
          "get -q -f csv -g "
              + GROUP
              + " * --every 1h --aggregate count,nan,min,max,mean,first,last,time-mean,known --from 2019-12-31 --to 2020-01-03",
          "kblogrd -f sad -t 20200102000000 " + GROUP,
          CHANGES);

  /** Commands whose data describe the files, and so may change with them. */
  private static final List<String> OTHERS =
      List.of(
          "channels -l",
          "coverage -f json",
          "status",
          "check",
          "moved --at 2020-01-01T12:00",
          "diff --at 2020-01-01T06:00 --and 2020-01-02T00:00");

  /** Commands that need a store. */
  private static final List<String> OF_STORE = List.of("files", "verify");

  /** Commands that write the store. */
  private static final List<String> WRITING = List.of("backfill", "compact", "verify");

  /** The begin of random archives. */
  private static final long FROM_NANOS =
      TimeUnit.SECONDS.toNanos(Instant.parse("2020-01-01T00:00:00Z").getEpochSecond());

  private static final String STATUS =
      """
      {"version": 1, "state": "running", "host": "h", "pid": 1, "since": "2020-01-01T00:00:00Z",
       "written": "2099-12-31T23:59:59Z", "everySeconds": 5,
       "counters": {"blocks": 1}, "rates": {"events": 1.5}, "disk": {"freeBytes": 1, "bytes": 2},
       "groups": [{"group": "%s", "lagSeconds": 7, "storedBytes": 123, "mode": "follow"}],
       "problems": ["the disk is full"],
       "requests": [{"what": "backfill", "host": "h", "pid": 2, "state": "working"}]}
      """
          .formatted(GROUP);

  @TempDir private Path directory;

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final OccurrenceCount count = new OccurrenceCount();

  @AfterEach
  void end() {
    executor.shutdownNow();
  }

  @Test
  void noAnswerClaimsMoreThanItHas() throws Exception {
    Seeds.each("mutated files", ARCHIVES, this::check);
    count.print("mutated files");
  }

  private void check(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path whole = directory.resolve("whole" + seed);
    RandomArchive.writeSmall(whole.resolve("archive"), seed);
    TestStores.closePairs(whole.resolve("archive"));
    backfill(whole, random);
    Case original = new Case(whole, "the original", false);
    Map<String, KblakeRun> truth = new LinkedHashMap<>();
    for (String line : concat(EVENTS, HELD)) {
      truth.put(line, original.run(line));
    }
    for (int i = 0; i < MUTATIONS; i++) {
      Path changed = TestStores.copy(whole, directory.resolve("changed" + seed + "." + i));
      List<String> mutations = new ArrayList<>();
      addMirrorAndStatus(changed, random);
      String tree = List.of("archive", "store", "store", "mirror").get(random.nextInt(4));
      boolean ofStore = !tree.equals("archive");
      mutate(changed.resolve(tree), random, mutations);
      String what = "seed " + seed + ", mutation " + i + ", " + mutations;
      if (ofStore) {
        checkStore(new Case(changed, what, true), truth, random);
      } else {
        checkArchive(changed, what, truth);
      }
      delete(changed);
    }
    delete(whole);
  }

  private static void backfill(Path whole, SplittableRandom random) throws Exception {
    Archive archive = archive(whole);
    if (random.nextBoolean()) {
      TestStores.backfillInSteps(archive, whole.resolve("store"), random.nextInt(3), random);
    } else {
      long middle = FROM_NANOS + random.nextLong(TimeUnit.DAYS.toNanos(4));
      TestStores.backfill(archive, whole.resolve("store"), new TimeRange(0, middle));
    }
  }

  private static Archive archive(Path place) throws IOException {
    return Archive.open(
        place.resolve("archive"), ArchiveSettings.defaults().withTail(TailRule.FINAL));
  }

  /** Adds a copy of each log, which a mirror knows by its file, and the status of a process. */
  private static void addMirrorAndStatus(Path place, SplittableRandom random) throws IOException {
    for (Pair pair : archive(place).pairs(RandomArchive.SMALL_GROUP)) {
      long from = random.nextBoolean() ? 0 : random.nextLong(Files.size(pair.logPath()));
      TestStores.mirror(place.resolve("store"), place.resolve("mirror"), pair, from);
    }
    Files.writeString(place.resolve("store/kblake-run.json"), STATUS);
  }

  private void mutate(Path tree, SplittableRandom random, List<String> mutations)
      throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(tree)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    for (int left = random.nextInt(3); left >= 0; left--) {
      Path file = files.get(random.nextInt(files.size()));
      FileTime modified = Files.getLastModifiedTime(file);
      String mutation = MutatedFile.mutate(file, random);
      count.add(mutation.split(" ")[0]);
      count.add(file.getFileName().toString().replaceFirst("^.*_\\d{14}", "pair"));
      mutations.add(tree.relativize(file) + ": " + mutation);
      if (random.nextInt(4) > 0) {
        Files.setLastModifiedTime(file, modified);
      }
    }
  }

  private void checkStore(Case changed, Map<String, KblakeRun> truth, SplittableRandom random)
      throws Exception {
    for (Map.Entry<String, KblakeRun> question : truth.entrySet()) {
      KblakeRun run = changed.run(question.getKey());
      count.add("status " + run.status());
      if (run.err().contains("the archive does not answer within 500 ms")) {
        // On a busy machine. With a mirror, an answer is then incomplete.
        assertThat(run.status())
            .as("%s: %s %s", changed.what(), question.getKey(), run)
            .isNotZero();
      } else if (run.status() != 1) {
        assertThat(run.out())
            .as("%s: %s %s", changed.what(), question.getKey(), run)
            .isEqualTo(question.getValue().out());
        assertThat(run.status())
            .as("%s: %s %s", changed.what(), question.getKey(), run)
            .isIn(question.getValue().status(), 3);
      } else {
        assertThat(run.out()).as("%s: %s", changed.what(), question.getKey()).isEmpty();
      }
    }
    OTHERS.forEach(changed::run);
    OF_STORE.forEach(changed::run);
    if (random.nextInt(3) == 0) {
      WRITING.forEach(changed::run);
      for (String line : EVENTS) {
        KblakeRun run = changed.run(line);
        if (run.status() == 0) {
          assertThat(run.out())
              .as("%s after writing: %s", changed.what(), line)
              .isEqualTo(Objects.requireNonNull(truth.get(line)).out());
        }
      }
    }
  }

  private void checkArchive(Path changed, String what, Map<String, KblakeRun> truth)
      throws Exception {
    Case raw = new Case(changed, what, false);
    Case stored = new Case(changed, what, true);
    for (String line : EVENTS) {
      KblakeRun now = raw.run(line);
      KblakeRun run = stored.run(line);
      count.add("status " + run.status());
      Map<String, Integer> before = lines(Objects.requireNonNull(truth.get(line)));
      Map<String, Integer> after = lines(now);
      Map<String, Integer> answer = lines(run);
      // Bytes behind those in columns count as appended, also if bytes were inserted before them.
      if (!what.contains(".log2: duplicate")) {
        for (String each : answer.keySet()) {
          assertThat(answer.get(each))
              .as("%s: %s invents %s", what, line, each)
              .isLessThanOrEqualTo(
                  Math.max(before.getOrDefault(each, 0), after.getOrDefault(each, 0)));
        }
      }
      if (run.status() == 0) {
        for (String each : before.keySet()) {
          assertThat(answer.getOrDefault(each, 0))
              .as("%s: %s loses %s", what, line, each)
              .isGreaterThanOrEqualTo(Math.min(before.get(each), after.getOrDefault(each, 0)));
        }
      }
    }
    for (String line : concat(HELD, OTHERS)) {
      if (!line.equals(CHANGES) || !what.contains(".log1")) {
        raw.run(line);
        stored.run(line);
      }
    }
    OF_STORE.forEach(stored::run);
  }

  private static Map<String, Integer> lines(KblakeRun run) {
    Map<String, Integer> lines = new HashMap<>();
    run.out().lines().forEach(line -> lines.merge(line, 1, Integer::sum));
    return lines;
  }

  private static List<String> concat(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A directory with an archive and a store, and the commands on both. */
  private final class Case {

    private final String what;
    private final KblakeRun.Builder builder;

    Case(Path place, String what, boolean stored) {
      this.what = what;
      builder =
          KblakeRun.in(place)
              .at(Instant.parse("2100-01-01T00:00:00Z"))
              .leavingAlone(place.resolve("archive"))
              .with("KBLAKE_ARCHIVE", place.resolve("archive").toString());
      if (stored) {
        builder.with("KBLAKE_STORE", place.resolve("store").toString());
      }
    }

    String what() {
      return what;
    }

    /** Runs a line within the deadline. */
    KblakeRun run(String line) {
      String[] words = line.split(" ");
      boolean kblogrd = words[0].equals("kblogrd");
      String[] rest =
          kblogrd ? List.of(words).subList(1, words.length).toArray(String[]::new) : words;
      Callable<KblakeRun> work = () -> kblogrd ? builder.kblogrd(rest) : builder.run(rest);
      KblakeRun run;
      try {
        run = executor.submit(work).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        throw new AssertionError(what + ": does not end: " + line, e);
      } catch (Exception e) {
        throw new AssertionError(what + ": fails: " + line, e);
      }
      count.add("commands");
      assertThat(run.err())
          .as("%s: %s", what, line)
          .doesNotContain("internal error")
          .doesNotContain("out of memory")
          .doesNotContain("Exception")
          .doesNotContain("\tat ");
      // check has the statuses of Nagios.
      assertThat(run.status())
          .as("%s: %s %s", what, line, run)
          .isBetween(0, 3)
          .isNotEqualTo(line.equals("check") ? -1 : 2);
      return run;
    }
  }
}
