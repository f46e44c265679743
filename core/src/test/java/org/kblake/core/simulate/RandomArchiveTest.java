package org.kblake.core.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.LogScanner;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PairLog;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.core.simulate.RandomArchive.WrittenEvent;
import org.kblake.core.simulate.RandomArchive.WrittenMilestone;
import org.kblake.core.simulate.RandomArchive.WrittenPair;

class RandomArchiveTest {

  private static final int SEEDS = 40;

  @TempDir Path directory;

  @Test
  void whatIsInTheLogsIsWhatWasReported() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomArchive.Written written = write(seed);
      for (WrittenPair pair : written.pairs()) {
        walk(written, pair);
      }
    }
  }

  private static void walk(RandomArchive.Written written, WrittenPair pair) throws IOException {
    LogWalk walk = new LogWalk(written.root().resolve(pair.logPath()));
    int events = 0;
    int milestones = 0;
    while (walk.next()) {
      if (walk.milestone()) {
        WrittenMilestone milestone = pair.milestones().get(milestones++);
        assertThat(walk.offset()).as("%s", written).isEqualTo(milestone.offset());
        assertThat(walk.nanos()).isEqualTo(milestone.timeNanos());
      } else {
        WrittenEvent event = pair.events().get(events++);
        assertThat(matches(walk, event)).as("event at %d, %s", walk.offset(), written).isTrue();
      }
    }
    assertThat(events).isEqualTo(pair.events().size());
    assertThat(milestones).isEqualTo(pair.milestones().size());
    assertThat(walk.offset()).isEqualTo((int) pair.logBytes());
  }

  private static boolean matches(LogWalk walk, WrittenEvent event) {
    return walk.offset() == event.offset()
        && walk.id() == event.record().id()
        && walk.nanos() == event.timeNanos()
        && walk.state() == event.state().code()
        && walk.severity() == event.severity()
        && walk.status() == event.status()
        && Arrays.equals(walk.value(), event.value());
  }

  @Test
  void anArchiveFindsTheGroupsAndPairsInTheirOrder() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomArchive.Written written = write(seed);
      Archive archive = Archive.open(written.root(), ArchiveSettings.defaults());
      TreeSet<Group> groups = new TreeSet<>(written.groups());
      groups.addAll(written.silentGroups());
      assertThat(archive.groups()).as("%s", written).containsExactlyInAnyOrderElementsOf(groups);
      for (Group group : archive.groups()) {
        assertThat(archive.pairs(group))
            .map(Pair::stamp)
            .isEqualTo(written.pairs(group).stream().map(WrittenPair::stamp).toList());
      }
    }
  }

  /** Sound is what a reader of the format calls sound, stray or not. */
  @Test
  void theScannerServesEveryEventAndFindsNoDamage() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomArchive.Written written = write(seed);
      Archive archive = Archive.open(written.root(), ArchiveSettings.defaults());
      for (Group group : written.groups()) {
        List<WrittenPair> pairs = written.pairs(group);
        List<Pair> found = archive.pairs(group);
        for (int i = 0; i < pairs.size(); i++) {
          PairLog log = found.get(i).open();
          assertThat(log.indexDamage()).as("%s", written).isEmpty();
          scan(written, pairs.get(i), log);
        }
      }
    }
  }

  private static void scan(RandomArchive.Written written, WrittenPair pair, PairLog log)
      throws IOException {
    int events = 0;
    try (LogScanner scanner = log.scan(0, log.logBytes(), null)) {
      while (scanner.nextSegment()) {
        assertThat(scanner.segment().damage()).as("%s, %s", pair.stamp(), written).isEmpty();
        while (scanner.next()) {
          WrittenEvent event = pair.events().get(events++);
          assertThat(
                  scanner.eventOffset() == event.offset()
                      && scanner.timeNanos() == event.timeNanos()
                      && scanner.state() == event.state().code()
                      && scanner.valueBytes() == event.value().length)
              .as("event at %d, %s", event.offset(), written)
              .isTrue();
        }
      }
    }
    assertThat(events).as("%s, %s", pair.stamp(), written).isEqualTo(pair.events().size());
  }

  @Test
  void theSameSeedWritesTheSameArchive() throws Exception {
    RandomArchive.Written one = RandomArchive.write(directory.resolve("one"), 11);
    RandomArchive.Written two = RandomArchive.write(directory.resolve("two"), 11);

    assertThat(SimulatedBytesTest.digest(one.root()))
        .isEqualTo(SimulatedBytesTest.digest(two.root()));
  }

  /** A generator that never makes what it promises lets every test pass. */
  @Test
  void everyNastinessComesUp() throws IOException {
    TreeSet<String> seen = new TreeSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomArchive.Written written = write(seed);
      note(seen, "group without pairs", !written.silentGroups().isEmpty());
      String list = Files.readString(written.root().resolve("SYS/KEKBLog.list"));
      for (Group group : written.groups()) {
        note(seen, "group not in the list", !list.contains(group.name() + "\n"));
        List<WrittenPair> pairs = written.pairs(group);
        note(seen, "several pairs", pairs.size() > 1);
        for (int i = 1; i < pairs.size(); i++) {
          note(seen, "changed records", pairs.get(i).records() != pairs.get(i - 1).records());
        }
      }
      written.pairs().forEach(pair -> note(seen, pair));
    }

    assertThat(seen)
        .contains(
            "group without pairs",
            "group not in the list",
            "several pairs",
            "changed records",
            "no events",
            "one milestone",
            "milestone unknown to the index",
            "clock set back",
            "sparse ids",
            "more than a page",
            "BIG_ENDIAN",
            "LITTLE_ENDIAN",
            "equal times",
            "disorder",
            "stray",
            "negative zero",
            "NaN with a payload",
            "full string",
            "invalid UTF-8",
            "bytes behind the NUL",
            "shorter waveform");
    for (ValueType type : ValueType.values()) {
      assertThat(seen).contains(type + " scalar", type + " waveform");
    }
  }

  private static void note(Set<String> seen, WrittenPair pair) {
    seen.add(pair.order() == ByteOrder.BIG_ENDIAN ? "BIG_ENDIAN" : "LITTLE_ENDIAN");
    note(seen, "no events", pair.events().isEmpty());
    note(seen, "more than a page", pair.events().size() > 4096);
    note(seen, "one milestone", pair.milestones().size() == 1);
    pair.records().entries().forEach(entry -> note(seen, "sparse ids", entry.id() > 1_000_000));
    long before = Long.MIN_VALUE;
    for (WrittenMilestone milestone : pair.milestones()) {
      note(seen, "milestone unknown to the index", !milestone.inIndex());
      note(seen, "clock set back", milestone.timeNanos() < before);
      before = milestone.timeNanos();
    }
    before = Long.MIN_VALUE;
    for (WrittenEvent event : pair.events()) {
      note(seen, "equal times", event.timeNanos() == before);
      note(seen, "disorder", event.timeNanos() < before);
      note(
          seen,
          "stray",
          event.timeNanos()
              < pair.milestones().get(0).timeNanos() - 3 * RandomArchive.DISORDER_BOUND_NANOS);
      before = event.timeNanos();
      note(seen, event);
    }
  }

  private static void note(Set<String> seen, WrittenEvent event) {
    if (event.state() != EventState.VALUE) {
      return;
    }
    ValueType type = event.record().type();
    seen.add(type + (event.record().waveform() ? " waveform" : " scalar"));
    note(seen, "shorter waveform", event.elements() < event.record().elementCount());
    if (type == ValueType.DOUBLE) {
      note(seen, "negative zero", event.bits()[0] == Long.MIN_VALUE);
      note(seen, "NaN with a payload", event.bits()[0] == 0x7FF8000000000123L);
    }
    if (type == ValueType.STRING) {
      String text = event.texts().get(0);
      note(seen, "invalid UTF-8", text.contains("\uFFFD"));
      int nul = 0;
      while (nul < 40 && event.value()[nul] != 0) {
        nul++;
      }
      note(seen, "full string", nul == 40);
      boolean odd = false;
      for (int i = nul; i < 40; i++) {
        odd |= event.value()[i] != 0;
      }
      note(seen, "bytes behind the NUL", odd);
    }
  }

  private static void note(Set<String> seen, String what, boolean there) {
    if (there) {
      seen.add(what);
    }
  }

  private RandomArchive.Written write(long seed) throws IOException {
    Path root = directory.resolve("seed" + seed);
    return RandomArchive.write(root, seed);
  }
}
