package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.TestArchives;

/**
 * The sample archives give the events of the tables beside them, including strays and both byte
 * orders.
 */
class SampleEventsTest {

  @ParameterizedTest
  @CsvSource({
    "tiny-le, BM/DCCT, events.tsv",
    "tiny-be, BM/DCCT, events.tsv",
    "mixed, VA/CCG, events-VA_CCG.tsv",
    "mixed, RF/AnalogData, events-RF_AnalogData.tsv"
  })
  void eventsAreTheSameAsInTheTable(String sample, String group, String table) throws IOException {
    Path archive = TestArchives.sample(sample);
    List<String> lines = new ArrayList<>();
    lines.add("time_ns\trecord\tstate\tseverity\tstatus\tstray\tvalue");
    for (Pair pair : Archive.open(archive, ArchiveSettings.defaults()).pairs(Group.parse(group))) {
      PairLog log = pair.open();
      assertThat(log.indexDamage()).isEmpty();
      try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
        while (scanner.nextSegment()) {
          assertThat(scanner.segment().damage()).isEmpty();
          while (scanner.next()) {
            lines.add(line(scanner));
          }
        }
      }
    }
    List<String> expected =
        Files.readAllLines(archive.resolveSibling(table), StandardCharsets.UTF_8).stream()
            .map(SampleEventsTest::normalized)
            .toList();
    assertThat(lines).hasSameSizeAs(expected);
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).as("line %d", i + 1).isEqualTo(expected.get(i));
    }
  }

  private static String line(LogScanner scanner) {
    RecordEntry entry = scanner.log().records().entry(scanner.record());
    List<String> value = new ArrayList<>();
    byte[] text = new byte[LogScanner.MAX_TEXT_BYTES];
    for (int i = 0; i < scanner.elements(); i++) {
      value.add(
          switch (entry.type()) {
            case DOUBLE -> number(Double.longBitsToDouble(scanner.valueBits(i)));
            case FLOAT -> number(Float.intBitsToFloat((int) scanner.valueBits(i)));
            case STRING -> new String(text, 0, scanner.text(i, text, 0), StandardCharsets.UTF_8);
            case SHORT, ENUM, CHAR, LONG -> Long.toString(scanner.valueBits(i));
          });
    }
    return String.join(
        "\t",
        Long.toString(scanner.timeNanos()),
        entry.name(),
        Integer.toString(scanner.state()),
        Integer.toString(scanner.severity()),
        Integer.toString(scanner.status()),
        scanner.stray() ? "1" : "0",
        String.join(" ", value));
  }

  /** Normalizes decimals, which have several notations. The table writes floats as doubles. */
  private static String normalized(String line) {
    int tab = line.lastIndexOf('\t');
    List<String> value = new ArrayList<>();
    for (String element : line.substring(tab + 1).split(" ", -1)) {
      value.add(
          element.matches("-?[0-9.]+(e[-+]?[0-9]+)?") && element.matches(".*[.e].*")
              ? number(Double.parseDouble(element))
              : element);
    }
    return line.substring(0, tab + 1) + String.join(" ", value);
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? Double.toString(value)
        : Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
}
