package org.kblake.record.importing.appliance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.record.group.LoggedEvents;

/** {@code kblake import aa}: the events of its logs are those of the files. */
final class ImportApplianceTest {

  private static final Group GROUP = new Group("AA", "G");
  private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");

  @TempDir Path directory;

  private static KblakeRun run(Path in, String... line) throws IOException {
    Files.createDirectories(in.resolve("logs/SYS"));
    List<String> words = new ArrayList<>(List.of("import", "aa"));
    words.addAll(List.of(line));
    words.addAll(List.of("--group", GROUP.toString(), "--archive", "logs"));
    return KblakeRun.in(in).at(NOW).with("LC_ALL", "C").run(words.toArray(String[]::new));
  }

  private static List<String> of(String name, List<String> lines) {
    return lines.stream().filter(line -> line.startsWith(name + " ")).toList();
  }

  private static List<Long> times(List<String> lines) {
    return lines.stream().map(line -> Long.valueOf(line.split(" ")[1])).toList();
  }

  @Test
  void logsHaveTheEventsOfTheFiles() throws Exception {
    Seeds.each("import-aa", Seeds.cases(12, 100), this::compare);
  }

  private void compare(long seed) throws Exception {
    Random random = new Random(seed);
    Path in = Files.createDirectory(directory.resolve("s" + seed));
    RandomAppliance appliance = new RandomAppliance(random, in.resolve("arch"));
    appliance.write();
    List<String> options = new ArrayList<>(List.of("arch"));
    if (random.nextBoolean()) {
      options.addAll(List.of("--largest-log", (16 + random.nextInt(100)) + "K"));
    }
    options.addAll(List.of("--milestone", (10 + random.nextInt(3000)) + "s"));
    long from = Long.MIN_VALUE;
    long to = Long.MAX_VALUE;
    List<Long> all = appliance.times();
    if (random.nextInt(3) == 0) {
      from = all.get(random.nextInt(all.size()));
      to = Math.max(from, all.get(random.nextInt(all.size())));
      options.addAll(List.of("--from", time(from), "--to", time(to)));
    }
    KblakeRun run = run(in, options.toArray(String[]::new));
    if (from == Long.MIN_VALUE) {
      requireCounts(run, appliance);
    }
    List<String> lines =
        Files.exists(in.resolve("logs/AA"))
            ? LoggedEvents.read(in.resolve("logs"), GROUP)
            : List.of();
    assertThat(times(lines)).isSorted();
    for (String name : appliance.names()) {
      assertThat(of(name, lines))
          .as("%s: %s", name, run.err())
          .isEqualTo(appliance.lines(name, from, to));
    }
    KblakeRun again = run(in, options.toArray(String[]::new));
    assertThat(again.err()).containsAnyOf("nothing new", "no events");
    assertThat(LoggedEvents.read(in.resolve("logs"), GROUP)).isEqualTo(lines);
  }

  private static String time(long nanos) {
    return "@%d.%09d".formatted(nanos / 1_000_000_000, nanos % 1_000_000_000);
  }

  private static void requireCounts(KblakeRun run, RandomAppliance appliance) {
    boolean isWhole = appliance.damaged() + appliance.cut() + appliance.refused() == 0;
    assertThat(run.status()).as(run.err()).isEqualTo(isWhole ? 0 : 3);
    if (appliance.doubles() == 0 && appliance.damaged() + appliance.cut() > 0) {
      assertThat(run.err())
          .contains(appliance.damaged() + appliance.cut() + " damaged samples left out");
    }
    if (appliance.doubles() == 0 && appliance.refused() > 0) {
      assertThat(run.err()).contains(appliance.refused() + " values left out that no log can hold");
    }
  }
}
