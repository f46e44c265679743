package org.kblake.test.kblogrd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestStores;

/**
 * Reads kblogrd's output of a recording of a real machine in the same ways as programs of KEKB do.
 */
final class KblogrdConsumersTest {

  private static final String RANGE = "20261120200342-20261120205000";

  /** A range across the end of a pair. */
  private static final String HALF = "20261120201500-20261120202500";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void recording() throws Exception {
    fixture = new CommandFixture(directory);
    TestStores.recording(fixture.archive());
    TestStores.backfill(
        Archive.open(fixture.archive(), ArchiveSettings.defaults()), fixture.store());
  }

  @Test
  void columnsAndRawLogsPrintTheSame() {
    KblakeRun.Builder raw =
        KblakeRun.in(directory).with("KBLAKE_ARCHIVE", fixture.archive().toString());
    for (String group : List.of("HOST/HostCpu", "HOST/HostIo", "HOST/HostMem")) {
      for (String format : List.of("free", "kaleida", "sad", "csv")) {
        for (String times : List.of(HALF, RANGE + "d60", "20261120203000")) {
          KblakeRun columns = fixture.kblogrd("-f", format, "-t", times, group);
          assertThat(columns.err()).isEmpty();
          assertThat(columns.status()).isZero();
          boolean same = columns.equals(raw.kblogrd("-f", format, "-t", times, group));
          assertThat(same).as("%s %s %s", group, format, times).isTrue();
          assertThat(columns.out()).isNotEmpty().endsWith("\n");
        }
      }
    }
  }

  /**
   * The reader of CS-Studio splits a line at the first two tabs, and appends a 0 to make the
   * fraction milliseconds.
   */
  @Test
  void theArchiveReaderOfCsStudioCanParseEveryLine() {
    DateTimeFormatter format = DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss.SSS", Locale.ROOT);
    LocalDateTime from = LocalDateTime.of(2026, 11, 20, 20, 3, 42);
    String out = fixture.kblogrd("-t", RANGE, "HOST/HostCpu").out();
    out.lines()
        .forEach(
            line -> {
              int first = line.indexOf('\t');
              int second = line.indexOf('\t', first + 1);
              LocalDateTime time = LocalDateTime.parse(line.substring(0, first) + "0", format);
              assertThat(time).isBetween(from, from.plusHours(1));
              assertThat(line.substring(first + 1, second)).isNotBlank().doesNotContain(" ");
              String value = line.substring(second + 1);
              if (!value.equals("Connected") && !value.equals("Disconnected")) {
                assertThat(value).matches("-?\\d.*|NaN|-?INF|[^\\t]*");
              }
            });
    assertThat(out.lines().count()).isGreaterThan(10_000);
  }

  /** Python scripts split at blanks, take cells by position, and convert each with float(). */
  @Test
  void everyCellOfATableIsAtItsPosition() {
    List<String> lines =
        fixture
            .kblogrd("-f", "kaleida", "-t", RANGE + "d10", "HOST/HostMem")
            .out()
            .lines()
            .toList();
    int columns = lines.get(0).split("\\s+").length;
    assertThat(columns).isGreaterThan(100);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\\s+");
      // Date and time are two cells.
      assertThat(cells).hasSize(columns + 1);
      for (int i = 2; i < cells.length; i++) {
        // Throws if the cell is not a number.
        double number = Double.parseDouble(cells[i].replace("INF", "Infinity"));
        assertThat(Math.abs(number)).isNotNegative();
      }
    }
  }

  @Test
  void awkAndPasteWork() throws IOException {
    Path cpu = print("cpu", "-f", "kaleida", "-t", RANGE + "d60", "HOST/HostCpu");
    Path io = print("io", "-f", "kaleida", "-t", RANGE + "d60", "HOST/HostIo");
    Shell shell = new Shell(directory);
    Shell.Result pasted =
        shell.run(
            "paste "
                + cpu
                + " "
                + io
                + " | awk -F'\\t' '$1 != $"
                + (columns(cpu) + 1)
                + " {print}'");
    // Both tables have rows at the same instants, as far as both groups have data.
    assertThat(pasted.out().lines().filter(line -> !line.contains("\t\t") && !line.endsWith("\t")))
        .isEmpty();
    Path free = print("free", "-t", RANGE, "HOST/HostCpu");
    Shell.Result sums = shell.run("awk -F'\\t' '$3+0 == $3 {n++} END {print n}' " + free);
    assertThat(Integer.parseInt(sums.out().strip())).isGreaterThan(10_000);
  }

  /**
   * The program requests a list, reads the unknown records from standard error, and repeats the
   * request without them.
   */
  @Test
  void aProgramDropsUnknownRecordsAndRepeatsTheRequest() {
    String header = fixture.kblogrd("-f", "kaleida", "-t", RANGE + "d600", "HOST/HostCpu").out();
    List<String> known = List.of(header.lines().findFirst().orElseThrow().split("\t"));
    List<String> asked = new ArrayList<>(known.subList(1, 4));
    asked.add(1, "HOST:GONE");
    KblakeRun run = request(asked);
    assertThat(run.status()).isEqualTo(1);
    String sign = "specified record name doesn't match";
    assertThat(run.err()).contains(sign);
    run.err()
        .lines()
        .filter(line -> line.contains(sign))
        .forEach(line -> asked.remove(line.substring(line.lastIndexOf(": ") + 2)));
    assertThat(asked).isEqualTo(known.subList(1, 4));
    assertThat(request(asked).status()).isZero();
    assertThat(request(asked).out()).isNotEmpty();
  }

  private KblakeRun request(List<String> records) {
    return fixture.kblogrd("-r", String.join(",", records), "-t", RANGE, "HOST/HostCpu");
  }

  private Path print(String name, String... words) throws IOException {
    return Files.writeString(directory.resolve(name), fixture.kblogrd(words).out());
  }

  private static int columns(Path table) throws IOException {
    return Files.readAllLines(table).get(0).split("\t").length;
  }
}
