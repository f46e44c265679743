package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.record.group.RecorderFixture.GROUP;
import static org.kblake.record.group.RecorderFixture.MINUTE;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.ValueType;
import org.kblake.record.group.FailingFiles.Step;
import org.kblake.record.log.SyncPolicy;

/** What the disk has after a power cut, or a kill, is what the policy promises. */
final class PowerCutTest {

  @TempDir Path directory;
  private int roots;

  private RecorderFixture fixture() throws IOException {
    return new RecorderFixture(Files.createDirectory(directory.resolve("root" + roots++)));
  }

  /** A file as the kernel has it, and what of it is on the disk in any case. */
  private static final class Cached {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int synced;
    boolean isNamed;

    /** The bytes of a log at the last time that its index was synced after it. */
    int promised;
  }

  /** Files are cut back to any length since their last sync, each by itself. */
  @Test
  void whatIsSyncedIsThereAfterAPowerCut() throws Exception {
    Seeds.each("PowerCutTest.cut", Seeds.cases(5, 50), this::cut);
  }

  private void cut(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    RecorderFixture fixture = fixture();
    fixture.sync = SyncPolicy.values()[random.nextInt(3)];
    RandomEvents events = new RandomEvents(random, fixture.source, 3);
    fixture.begin(events.names());
    for (String name : events.names()) {
      events.connect(name);
    }
    for (int i = 0; i < 15; i++) {
      events.values(random.nextInt(10));
      if (random.nextInt(4) == 0) {
        fixture.recorder().rotate();
      }
      fixture.pass(i % 6 == 5 ? 10 * MINUTE : random.nextLong(2 * SECOND));
    }
    fixture.close();
    Map<String, List<String>> whole = byPair(fixture.root, Map.of());
    assertThat(whole.values().stream().mapToInt(List::size).sum()).isEqualTo(fixture.read().size());
    for (int i = 0; i < 20; i++) {
      int steps = random.nextInt(fixture.files.steps.size() + 1);
      Map<Path, Cached> files = files(fixture.files.steps.subList(0, steps));
      Path copy = Files.createDirectory(directory.resolve("cut" + roots++));
      Files.createDirectory(copy.resolve("VA"));
      Map<String, Integer> promised = new HashMap<>();
      for (Map.Entry<Path, Cached> each : files.entrySet()) {
        Cached cached = each.getValue();
        int all = cached.bytes.size();
        int kept = cached.synced + random.nextInt(all - cached.synced + 1);
        if (cached.isNamed || random.nextBoolean()) {
          Path file = copy.resolve(fixture.root.relativize(each.getKey()).toString());
          Files.write(file, Arrays.copyOf(cached.bytes.toByteArray(), kept));
        }
        promised.put(each.getKey().getFileName().toString(), cached.promised);
      }
      Map<String, List<String>> found = byPair(copy, promised);
      found.forEach(
          (name, lines) ->
              assertThat(lines)
                  .isEqualTo(
                      whole.getOrDefault(name, List.of()).stream().limit(lines.size()).toList()));
      requirePromised(fixture, whole, found, promised);
      goOn(copy, fixture.clock, events.names());
    }
  }

  /** Plays the journal of writes and syncs. */
  private static Map<Path, Cached> files(List<Step> steps) {
    Map<Path, Cached> files = new LinkedHashMap<>();
    for (Step step : steps) {
      if (step.what().equals("force names")) {
        files.forEach((file, cached) -> cached.isNamed |= step.file().equals(file.getParent()));
        continue;
      }
      Cached cached = files.computeIfAbsent(step.file(), file -> new Cached());
      cached.bytes.writeBytes(step.bytes());
      if (step.what().equals("force")) {
        cached.synced = cached.bytes.size();
        Cached log = files.get(Path.of(step.file().toString().replaceAll("log1$", "log2")));
        if (log != null && log != cached) {
          log.promised = log.synced;
        }
      }
    }
    return files;
  }

  /** Returns the events of each pair. One that cannot be read has nothing that was promised. */
  private static Map<String, List<String>> byPair(Path root, Map<String, Integer> promised)
      throws IOException {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (Pair pair : Archive.open(root, ArchiveSettings.defaults()).pairs(GROUP)) {
      String name = pair.logPath().getFileName().toString();
      List<String> read = new ArrayList<>();
      lines.put(name, read);
      try {
        if (Files.exists(pair.logPath()) && Files.size(pair.logPath()) > 0) {
          LoggedEvents.scan(pair.open(), read);
        }
      } catch (IOException e) {
        assertThat(promised.getOrDefault(name, 0)).as("%s: %s", name, e).isZero();
      }
    }
    return lines;
  }

  private static void requirePromised(
      RecorderFixture fixture,
      Map<String, List<String>> whole,
      Map<String, List<String>> found,
      Map<String, Integer> promised)
      throws IOException {
    for (Map.Entry<String, Integer> each : promised.entrySet()) {
      if (each.getValue() > 0) {
        Path log = fixture.root.resolve("VA").resolve(each.getKey());
        byte[] bytes = Arrays.copyOf(Files.readAllBytes(log), each.getValue());
        long events = LoggedEvents.events(bytes);
        assertThat(found).containsKey(each.getKey());
        assertThat(found.get(each.getKey())).hasSizeGreaterThanOrEqualTo((int) events);
        assertThat(whole.get(each.getKey())).hasSizeGreaterThanOrEqualTo((int) events);
      }
    }
  }

  /** The next process leaves what it finds, and begins a pair of its own. */
  private static void goOn(Path root, SetClock clock, String... names) throws IOException {
    Set<Path> before = new HashSet<>(LoggedEvents.logs(root, GROUP));
    RecorderFixture fixture = new RecorderFixture(root, clock);
    fixture.begin(names).connect(names);
    fixture.source.value("A", 1);
    fixture.close();
    List<Path> after = new ArrayList<>(LoggedEvents.logs(root, GROUP));
    assertThat(after).containsAll(before).hasSize(before.size() + 1);
    String newest = after.get(after.size() - 1).getFileName().toString();
    assertThat(byPair(root, Map.of()).get(newest)).isEqualTo(fixture.source.given);
    assertThat(fixture.gaps).isEmpty();
  }

  /** A kill loses what waits, and nothing of other channels. */
  @Test
  void aKillWhileEventsWaitLosesThoseAlone() throws IOException {
    RecorderFixture fixture = fixture();
    fixture.begin("A", "B").connect("A", "B");
    fixture.pass(2 * SECOND);
    fixture.source.disconnect("A");
    fixture.pass(SECOND);
    List<String> kept = new ArrayList<>(fixture.source.given);
    fixture.source.connect("A", ValueType.LONG, 1);
    fixture.source.value("A", ValueType.LONG, new byte[4], 0, 0);
    fixture.source.value("B", 1);
    kept.add(fixture.source.given.get(fixture.source.given.size() - 1));
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().states().get(0).waitingEvents()).isEqualTo(2);
    assertThat(fixture.read()).isEqualTo(kept);
    RecorderFixture next = fixture();
    Files.createDirectory(next.root.resolve("VA"));
    for (Path log : LoggedEvents.logs(fixture.root, GROUP)) {
      String name = log.getFileName().toString();
      Files.copy(log, next.root.resolve("VA").resolve(name));
      String index = name.replaceAll("log2$", "log1");
      Files.copy(log.resolveSibling(index), next.root.resolve("VA").resolve(index));
    }
    fixture.close();
    assertThat(fixture.read()).hasSize(kept.size() + 2);
    next.clock.pass(MINUTE);
    next.begin("A", "B");
    next.source.connect("A", ValueType.LONG, 1);
    next.connect("B");
    next.source.value("A", ValueType.LONG, new byte[4], 0, 0);
    next.close();
    kept.addAll(next.source.given);
    assertThat(next.read()).isEqualTo(kept);
  }
}
