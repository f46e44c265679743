package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/**
 * Plain command lines of {@code kblake get} are parsed without picocli, and lines are written
 * without Arrow. Both give the same answers as picocli and Arrow.
 */
final class PlainGetTest {

  private static final String[][] LINES = {
    {"-q", "--from", "2016-05-15", "--to", "2016-05-18", "*"},
    {"--from", "20160515", "--to", "20160518", "-g", "VA/CCG", "-f", "ndjson", "*"},
    {"--from", "20160515", "--to", "20160518", "-f", "tsv", "RF_AnalogData:*:TEMP"},
    {"--at", "2016-05-16T00:30", "-q", "RF_AnalogData:*:TEMP"},
    {"--from", "20160515", "--to", "20160518", "NOT:THERE"},
    {"--from", "20160518", "--to", "20160515", "*"},
    {"--from", "yesteryear", "*"},
    {"--from", "20160515", "--to", "20160518", "--group", "VA/CCG", "--format", "json", "*"},
    {"-g", "VA/CCG", "--group", "RF/AnalogData", "--to", "20160518", "*"},
    {"-f", "tsv", "--format", "csv", "*"},
    {"-g", "VACCG", "*"},
    {"-g", "VA/NOT", "*"},
    {"-f", "xml", "*"},
    {"--archive", "nowhere", "*"},
    {"--zone", "Mars/Olympus", "*"},
    {"-q"},
    {"-o", "archive/inside.csv", "*"},
    {"--to", "20160518", "-o", "missing/all.csv", "*"},
  };

  @TempDir private Path directory;

  @Test
  void plainCommandLinesHaveTheMeaningThatPicocliGivesThem() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    fixture.backfill();
    for (String[] line : LINES) {
      KblakeRun plain = fixture.run(with(List.of("get"), line));
      // An option before the name of the command is not plain.
      KblakeRun whole = fixture.run(with(List.of("--color", "never", "get"), line));
      assertThat(plain).as(String.join(" ", line)).isEqualTo(whole);
    }
  }

  /** JSON is written from Arrow vectors, and NDJSON is not. The objects are equal. */
  @Test
  void jsonAndNdjsonHaveTheSameObjects() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    for (String option : List.of("--strays", "--no-admit")) {
      String json = fixture.getAll(option, "-f", "json", "*").out();
      String lines = fixture.getAll(option, "-f", "ndjson", "*").out();
      assertThat(lines.lines()).hasSizeGreaterThan(20_000);
      assertThat("[\n" + lines.strip().replace("\n", ",\n") + "\n]\n").isEqualTo(json);
    }
  }

  @Test
  void answerGoesToTheNamedFile() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    KblakeRun toFile = fixture.getAll("-o", "all.ndjson", "*");
    assertThat(toFile.err()).isEmpty();
    assertThat(toFile.out()).isEmpty();
    assertThat(Files.readString(directory.resolve("all.ndjson")))
        .isEqualTo(fixture.getAll("-f", "ndjson", "*").out());
  }

  private static String[] with(List<String> first, String[] rest) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(rest));
    return all.toArray(String[]::new);
  }
}
