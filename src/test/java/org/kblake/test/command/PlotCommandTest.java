package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.TestStores;
import org.w3c.dom.Element;

/** {@code kblake plot} as a user calls it, on the sample archive. */
final class PlotCommandTest {

  private static final String CHANNEL = "RF_AnalogData:D02_007:XPOS";
  private static final String RANGE = " --from 20160516 --to 201605160040 ";

  @TempDir private static Path directory;

  private static Path archive = Path.of("");

  @BeforeAll
  static void copySample() throws IOException {
    archive = TestStores.sample("mixed", directory.resolve("archive"));
  }

  private static KblakeRun.Builder kblake() {
    return KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive.toString()).with("LC_ALL", "C");
  }

  private static KblakeRun run(KblakeRun.Builder kblake, String line) {
    return kblake.leavingAlone(archive).run(line.strip().split(" +"));
  }

  @Test
  void plotHas80ColumnsAnd23LinesWithoutATerminal() {
    KblakeRun plot = run(kblake(), "plot" + RANGE + CHANNEL);

    assertThat(plot.status()).as(plot.err()).isZero();
    assertThat(plot.err()).isEmpty();
    assertThat(plot.out()).matches("[\\x20-\\x7e\\n]+").startsWith(CHANNEL + " ");
    assertThat(plot.out().lines()).hasSize(23).allMatch(line -> line.length() <= 80);
    assertThat(plot.out()).contains("2016-05-16, +09:00").contains("x disconnected");
  }

  @Test
  void plotIsAsWideAsTheVariableColumns() {
    for (int columns = 40; columns <= 200; columns += 32) {
      KblakeRun plot =
          run(kblake().with("COLUMNS", String.valueOf(columns)), "plot" + RANGE + CHANNEL);

      assertThat(plot.out().lines().mapToInt(String::length).max()).hasValue(columns);
    }
  }

  @Test
  void plotIsBrailleInALocaleOfUnicode() {
    KblakeRun plot = run(kblake().with("LC_ALL", "C.UTF-8"), "plot" + RANGE + CHANNEL);

    assertThat(plot.out()).containsPattern("[\\u2801-\\u28ff]").contains("╱ archiver down");
  }

  @Test
  void svgIsWellFormedAndPngHasItsSize() throws Exception {
    String channels = " " + CHANNEL + ",RF_AnalogData:D12_006:TEMP";
    KblakeRun svg = run(kblake(), "plot -o a.svg" + RANGE + channels);
    KblakeRun png = run(kblake(), "plot -o a.PNG --width 640 --height 480" + RANGE + channels);

    assertThat(svg.status()).as(svg.err()).isZero();
    assertThat(png.status()).as(png.err()).isZero();
    File file = directory.resolve("a.svg").toFile();
    Element root =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file).getDocumentElement();
    assertThat(root.getAttribute("width")).isEqualTo("900");
    assertThat(root.getElementsByTagName("text").item(0).getTextContent()).isEqualTo(CHANNEL);
    assertThat(Files.readString(file.toPath())).contains("url(#h-muted)");
    BufferedImage image = ImageIO.read(directory.resolve("a.PNG").toFile());
    assertThat(image.getWidth()).isEqualTo(640);
    assertThat(image.getHeight()).isEqualTo(480);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2|-o a.jpg|unknown ending of -o a.jpg: write .svg or .png",
        "2|-o a.svg --width 20|--width must be from 200 to 10000 here: 20",
        "2|--width 10000 --height 9999|are 99,990,000 characters, and a plot has at most 1,000,000",
        "2|--height 2|--height must be from 10 to 10000 here: 2",
        "2|--from 20160517 --to 20160516|is later than --to",
        "2|--to 20160516|give --from, too",
        "2|--from 20160516 --to 20160516|the range is empty",
        "1|-o none/a.svg|the directory does not exist",
        "1|-o archive/a.svg|is inside the archive",
        "1|RF_AnalogData:*|channels match, and a plot has at most 12",
        "1|NOTHING|no such channel: NOTHING"
      })
  void wrongRequestIsExplained(int status, String line, String message) {
    boolean hasChannel = line.contains("RF") || line.contains("NOTHING");
    String rest = (hasChannel ? "" : CHANNEL + " ") + (line.contains("-from") ? "" : "--from -1h ");
    String all = line.startsWith("--to") ? CHANNEL + " " + line : rest + line;
    KblakeRun plot = run(kblake(), "plot " + all);

    assertThat(plot.status()).as(plot.err()).isEqualTo(status);
    assertThat(plot.out()).isEmpty();
    assertThat(plot.err()).startsWith("kblake plot: ").contains(message).hasLineCount(1);
  }

  /** The channels are a string and 32 doubles. */
  @Test
  void stringsAndWaveformsAreNamedWithTheCommandThatWritesThem() {
    String others = "RF_AnalogData:D09_019:XPOS RF_AnalogData:D02_044:XPOS";
    KblakeRun alone = run(kblake(), "plot" + RANGE + others);
    KblakeRun beside = run(kblake(), "plot" + RANGE + CHANNEL + " " + others);

    String reason =
        "only numbers and enums can be plotted: RF_AnalogData:D09_019:XPOS has strings,"
            + " RF_AnalogData:D02_044:XPOS has waveforms; kblake get writes such values, for"
            + " example: kblake get RF_AnalogData:D09_019:XPOS";
    assertThat(alone.status()).isEqualTo(1);
    assertThat(alone.err()).isEqualTo("kblake plot: " + reason + "\n");
    assertThat(beside.status()).isZero();
    assertThat(beside.err()).isEqualTo(reason + "\n");
    assertThat(beside.out()).startsWith(CHANNEL);
  }

  @Test
  void rangeWithoutEventsHasTheNoteOfGet() {
    String range = " --from 2016-05-17 --to 2016-05-18 ";
    KblakeRun plot = run(kblake(), "plot" + range + CHANNEL);
    KblakeRun get = run(kblake(), "get" + range + CHANNEL);

    assertThat(plot.status()).isEqualTo(get.status());
    assertThat(plot.err()).startsWith("no events from 2016-05-17").isEqualTo(get.err());
  }

  @Test
  void incompletePlotHasTheStatusAndTheLinesOfGet() throws IOException {
    Path damaged = TestStores.sample("mixed", directory.resolve("damaged"));
    Files.delete(damaged.resolve("RF/AnalogData_20160516001500.log2"));
    KblakeRun.Builder kblake = kblake().with("KBLAKE_ARCHIVE", damaged.toString());
    KblakeRun plot = run(kblake, "plot" + RANGE + CHANNEL);
    KblakeRun get = run(kblake, "get" + RANGE + CHANNEL);

    assertThat(plot.status()).isEqualTo(3);
    assertThat(get.status()).isEqualTo(3);
    assertThat(plot.err())
        .contains("kblake plot: incomplete: ")
        .isEqualTo(get.err().replace("kblake get: ", "kblake plot: "));
    assertThat(plot.out()).contains("???").contains("? not readable");
  }

  @Test
  void panelsOfSeveralGroupsHaveTheirNames() {
    KblakeRun plot = run(kblake(), "plot" + RANGE + CHANNEL + " VA_CCG:D02_013:CUR");

    assertThat(plot.status()).as(plot.err()).isZero();
    assertThat(plot.out())
        .contains("RF/AnalogData " + CHANNEL)
        .contains("VA/CCG VA_CCG:D02_013:CUR");
  }
}
