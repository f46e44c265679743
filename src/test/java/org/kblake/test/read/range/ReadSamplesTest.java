package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestArchives;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/** The sample archives give the events that accompany them, from raw logs and from columns. */
final class ReadSamplesTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "tiny-le,BM/DCCT,events.tsv",
    "tiny-be,BM/DCCT,events.tsv",
    "mixed,VA/CCG,events-VA_CCG.tsv",
    "mixed,RF/AnalogData,events-RF_AnalogData.tsv"
  })
  void eventsAreTheSameAsInTheSample(String sample, String groupName, String file)
      throws Exception {
    Path root = TestStores.sample(sample, directory.resolve("archive"));
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    Path store = directory.resolve("store");
    Group group = Group.parse(groupName);
    List<String> expected = expected(TestArchives.resource("samples/" + sample + "/" + file));
    long first = Long.parseLong(expected.get(0).split("\t")[0]);
    long last = Long.parseLong(expected.get(expected.size() - 1).split("\t")[0]);
    long hour = Duration.ofHours(1).toNanos();
    EventQuery query =
        EventQuery.of(ChannelSelection.all(group))
            .between(new TimeRange(first - hour, last + hour))
            .withStrays();

    AnswerLines.Lines raw;
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).open()) {
      raw = AnswerLines.read(reader, query);
      assertThat(comparable(raw.events())).containsExactlyElementsOf(expected);
    }
    // A third in the middle is stored first, so that blocks and raw log answer together.
    long third = (last - first) / 3;
    TestStores.backfill(archive, store, new TimeRange(first + third, first + third + 1));
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open()) {
      AnswerLines.Lines mixed = AnswerLines.read(reader, query);
      assertThat(mixed.events()).isEqualTo(raw.events());
      assertThat(AnswerLines.lines(mixed.coverage())).isEqualTo(AnswerLines.lines(raw.coverage()));
    }
    TestStores.backfill(archive, store);
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open()) {
      for (Source source : List.of(Source.AUTO, Source.STORE)) {
        AnswerLines.Lines columns = AnswerLines.read(reader, query.from(source));
        assertThat(columns.events()).isEqualTo(raw.events());
        assertThat(AnswerLines.lines(columns.coverage()))
            .isEqualTo(AnswerLines.lines(raw.coverage()));
      }
    }
  }

  /**
   * Returns the expected lines: time, channel, state, severity, status, stray, value; numbers as
   * doubles.
   */
  private static List<String> expected(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("time_ns")) {
        String[] cells = line.split("\t", -1);
        cells[6] = numbers(cells[6]);
        lines.add(String.join("\t", cells));
      }
    }
    return lines;
  }

  private static String numbers(String value) {
    StringBuilder text = new StringBuilder();
    for (String word : value.split(" ", -1)) {
      text.append(text.isEmpty() ? "" : " ").append(number(word));
    }
    return text.toString();
  }

  private static String number(String word) {
    String name = word.toLowerCase(Locale.ROOT);
    if (name.equals("nan")) {
      return "NaN";
    }
    if (name.endsWith("inf")) {
      return name.startsWith("-") ? "-Infinity" : "Infinity";
    }
    try {
      return Double.toString(Double.parseDouble(word));
    } catch (NumberFormatException e) {
      return word;
    }
  }

  /** Converts events to the form of the expected lines. */
  private static List<String> comparable(List<String> events) {
    List<String> lines = new ArrayList<>();
    for (String event : events) {
      String[] cells = event.split("\t", -1);
      StringBuilder value = new StringBuilder();
      for (String word : cells[7].replaceAll("^\\[|\\]$", "").split(" ", -1)) {
        value.append(value.isEmpty() ? "" : " ").append(decimal(word));
      }
      lines.add(
          String.join("\t", cells[0], cells[2], cells[3], cells[4], cells[5], cells[6], value));
    }
    return lines;
  }

  private static String decimal(String word) {
    if (word.matches("d[0-9a-f]+")) {
      return Double.toString(
          Double.longBitsToDouble(Long.parseUnsignedLong(word.substring(1), 16)));
    }
    return number(word);
  }
}
