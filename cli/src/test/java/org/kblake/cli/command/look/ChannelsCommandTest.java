package org.kblake.cli.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

final class ChannelsCommandTest {

  private static final String[] SIMULATE = {
    "simulate", "-q", "--days", "0.01", "--scale", "0.2", "archive"
  };

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d";

  @TempDir private Path directory;

  @BeforeEach
  void simulate() {
    assertThat(KblakeRun.in(directory).run(SIMULATE).status()).isZero();
  }

  @Test
  void namesAreOnePerLineAndTheTableHasAllColumns() {
    KblakeRun names = channels();
    KblakeRun table = channels("-l");
    assertThat(names.status()).isZero();
    assertThat(names.out().lines()).isNotEmpty().doesNotHaveDuplicates();
    assertThat(table.out().lines().skip(1))
        .allMatch(row -> row.matches("\\S+/\\S+ +\\w+ +\\d+  " + TIME + "  " + TIME + "  \\S+"));
    assertThat(table.out().lines().count()).isGreaterThanOrEqualTo(names.out().lines().count());
  }

  /** The last value is the last event with a value, in the log or in columns. */
  @Test
  void tableHasTheTimeOfTheLastValue() {
    String[] columns = {"backfill", "-q", "--archive", "archive", "--store", "store"};
    String raw = channels("-l").out();
    assertThat(KblakeRun.in(directory).run(columns).status()).isZero();
    assertThat(channels("-l", "--store", "store").out()).isEqualTo(raw);
    for (String row : raw.lines().skip(1).toList()) {
      String[] cells = row.split(" +");
      String all =
          KblakeRun.in(directory)
              .run("get", "--archive", "archive", "--from", "2000", "--to", "2100", cells[5])
              .out();
      List<String> values = all.lines().filter(line -> line.contains(",value,")).toList();
      if (!values.isEmpty()) {
        assertThat(values.get(values.size() - 1)).as(row).startsWith(cells[4]);
      }
      assertThat(cells[3]).as(row).isLessThanOrEqualTo(cells[4]);
    }
  }

  @Test
  void archiveWithoutGroupsIsAnError() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    KblakeRun run = KblakeRun.in(directory).run("channels", "--archive", empty.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("kblake channels: archive has no groups: root=");
  }

  @Test
  void patternsAreGlobsAndMayIgnoreCase() {
    String name = channels().out().lines().findFirst().orElseThrow();
    assertThat(channels(name).out()).isEqualTo(name + "\n");
    assertThat(channels("-i", name.toLowerCase(Locale.ROOT)).out()).isEqualTo(name + "\n");
    assertThat(channels(name.substring(0, 3) + "*").out().lines())
        .contains(name)
        .allMatch(other -> other.startsWith(name.substring(0, 3)));
    // A text that is no glob can only be the name of a channel.
    KblakeRun open = channels("[abc");
    assertThat(open.status()).isEqualTo(1);
    assertThat(open.err()).contains("no such channel: [abc");
  }

  @Test
  void severalPatternsListEachMatchOnceWithSpacesOrCommas() {
    List<String> names = channels().out().lines().toList();
    String first = names.get(0);
    String last = names.get(names.size() - 1);
    String both = first + "\n" + last + "\n";
    assertThat(channels(last, first).out()).isEqualTo(both);
    assertThat(channels(last + "," + first + ",").out()).isEqualTo(both);
    assertThat(channels("{" + last + "," + first + "}", first).out()).isEqualTo(both);
  }

  @Test
  void unknownNameIsAnsweredWithTheNearest() {
    String name = channels().out().lines().findFirst().orElseThrow();
    KblakeRun run = channels(name + "X");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("kblake channels: no such channel: " + name + "X (nearest: " + name)
        .hasLineCount(1);
    assertThat(channels("NOPE*", name).err())
        .isEqualTo("kblake channels: no such channel: NOPE*\n");
    assertThat(channels("-g", "NO/SUCH").status()).isEqualTo(1);
  }

  @Test
  void unreadableIndexIsNamedAndTheAnswerIncomplete() throws IOException {
    Path index = index();
    Files.delete(index);
    KblakeRun run = channels();
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.out()).isNotEmpty();
    assertThat(run.err()).contains(index.getFileName().toString());
  }

  @Test
  void channelsOfMissingLogsComeFromColumns() throws IOException {
    assertThat(
            KblakeRun.in(directory)
                .run("backfill", "-q", "--archive", "archive", "--store", "store")
                .status())
        .isZero();
    String before = channels("-l").out();
    Files.delete(index());
    KblakeRun run = channels("-l", "--store", "store");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(before);

    Files.move(directory.resolve("archive"), directory.resolve("elsewhere"));
    KblakeRun offline = channels("-l", "--store", "store");
    assertThat(offline.status()).isEqualTo(3);
    assertThat(offline.err()).contains("archive");
    assertThat(offline.out().lines()).containsExactlyInAnyOrderElementsOf(before.lines().toList());
  }

  private Path index() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("archive"))) {
      return files
          .filter(file -> file.toString().endsWith(".log1"))
          .sorted()
          .findFirst()
          .orElseThrow();
    }
  }

  private KblakeRun channels(String... options) {
    return KblakeRun.in(directory)
        .run(
            Stream.concat(Stream.of("channels", "--archive", "archive"), Stream.of(options))
                .toArray(String[]::new));
  }
}
