package org.kblake.test.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;

/**
 * Names, texts, groups and files with control characters, such as ESC. A terminal gets none of
 * them, at no door, and a pipe or file gets their bytes.
 */
final class ControlCharactersTest {

  private static final String FROM = "--from=@1463324400";
  private static final String TO = "--to=@1463324600";

  /** Clears the screen, sets the title, turns the text, and colours it as the program does. */
  private static final String EVIL = "\u001b[2J\u001b]0;x\u0007\u202e\u009b1m\u001b[31m\r\b";

  private static final Group GROUP = Group.parse("VA/G\u001b[31m\u009b");

  private static final String CONTROL = "[\\p{Cntrl}\u0080-\u009f\u202e&&[^\n\t]]";

  @TempDir private Path directory;
  private Path archive = Path.of("");

  @BeforeEach
  void write() throws IOException {
    archive = directory.resolve("archive");
    Map<String, ValueType> channels = new LinkedHashMap<>();
    numbers().forEach(name -> channels.put(name, ValueType.DOUBLE));
    channels.put("K:TEXT", ValueType.STRING);
    NamedChannels.write(
        archive,
        GROUP,
        channels,
        IntStream.range(1, 100).boxed().toList(),
        (name, second) -> name.equals("K:TEXT") ? second + EVIL : second);
    TestStores.closePairs(archive);
    Path described = Files.createDirectories(directory.resolve("channels/" + GROUP));
    Files.writeString(
        described.resolve("channels.csv"),
        "name,unit,description\nK:\u001bX,\"m\u001b[31mA\",\"" + EVIL + "\"\n");
    Files.writeString(directory.resolve("kblake.toml"), "archive = \"archive\"\n");
  }

  /**
   * A channel for each control character of C0 and C1, and DEL. NUL ends a name in a log, and the
   * others that are left out divide the lines and columns in which names are printed.
   */
  private static List<String> numbers() {
    return IntStream.range(0, 0xa0)
        .filter(Character::isISOControl)
        .filter(code -> code != 0 && code != '\n' && code != '\t' && code != '\r')
        .mapToObj(code -> "K:" + (char) code + "X")
        .toList();
  }

  private KblakeRun onTerminal(String noColor, List<String> line) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ZONE", "Asia/Tokyo")
        .with("NO_COLOR", noColor)
        .onTerminal()
        .run(line.toArray(String[]::new));
  }

  private static void assertShown(String command, String text) {
    String own = text.replaceAll("\u001b\\[(0|1|31|32|35)m", "");
    assertThat(own).as(command).doesNotContainPattern(CONTROL);
  }

  /** Colours are not taken away from the text, so that those of a name would be found. */
  private static void assertClean(KblakeRun run, List<String> line) {
    assertThat(run.out() + run.err()).as(line.toString()).doesNotContainPattern(CONTROL);
  }

  @Test
  void noCommandWritesThemToATerminal() throws IOException {
    Files.writeString(directory.resolve("request\u001b[31m"), "");
    List<List<String>> lines =
        List.of(
            List.of("get", FROM, TO, "K:*"),
            List.of("get", FROM, TO, "-f", "tsv", "K:*"),
            List.of("get", FROM, TO, "-f", "json", "K:*"),
            List.of("get", FROM, TO, "-f", "arrow", "K:TEXT"),
            List.of("get", FROM, TO, "--wide", "--every=50s", "K:*"),
            List.of("get", FROM, TO, "--wide", "--every=50s", "--aggregate=mean", "K:?X"),
            List.of("get", FROM, TO, "-o", "csv", "--coverage", "-", "K:*"),
            List.of("get", "--at=@1463324450", "K:*"),
            List.of("get", FROM, TO, "K:" + EVIL),
            List.of("get", FROM, TO, "--" + EVIL),
            List.of("get", "--from", EVIL, "K:*"),
            List.of("get", FROM, TO, "-g", "VA/" + EVIL, "K:*"),
            List.of("channels"),
            List.of("channels", "-l"),
            List.of("channels", "--groups"),
            List.of("channels", "-f", "json"),
            List.of("when", FROM, TO, "K:\u001bX > 50"),
            List.of("when", FROM, TO, EVIL),
            List.of("moved", "--at=@1463324450", "--baseline=30s"),
            List.of("diff", "--at=@1463324410", "--and=@1463324450", "*"),
            List.of("coverage"),
            List.of("status"),
            List.of("check"),
            List.of("doctor"),
            List.of("plot", FROM, TO, "K:\u001bX"),
            List.of("plot", FROM, TO, "K:\u009bX", "--color=never"),
            List.of("inspect", GROUP.toString()),
            List.of("inspect", "request\u001b[31m"),
            List.of("files", "--store", EVIL),
            List.of("get", "--config", "no" + EVIL, "x"),
            List.of(EVIL));
    Set<Integer> statuses = new TreeSet<>();
    for (List<String> line : lines) {
      KblakeRun run = onTerminal("", line);
      statuses.add(run.status());
      assertShown(line.toString(), run.out());
      assertShown(line.toString(), run.err());
      assertClean(onTerminal("1", line), line);
    }
    assertThat(statuses).contains(0, 1, 2);
  }

  @Test
  void kblogrdWritesThemToPipesOnly() {
    List<String> all = List.of("-t", "20160516000000-20160516000100", GROUP.toString());
    String[] line = all.toArray(String[]::new);
    KblakeRun.Builder program =
        KblakeRun.in(directory).with("KBLAKE_ARCHIVE", "archive").with("KBLAKE_ZONE", "Asia/Tokyo");
    KblakeRun piped = program.kblogrd(line);
    assertThat(piped.status()).as(piped.toString()).isZero();
    assertThat(piped.out()).contains("\u001b");
    KblakeRun shown = program.onTerminal().kblogrd(line);
    assertThat(shown.out()).contains("\\u001b");
    assertClean(shown, all);
    assertClean(program.kblogrd("-r", EVIL, GROUP.toString()), List.of("-r"));
    assertClean(program.kblogrd("VA/" + EVIL), List.of());
  }

  @Test
  void pipesGetTheNamesAsTheyAre() {
    KblakeRun run = KblakeRun.in(directory).run("channels", "-q", "--color=always");
    assertThat(run.status()).as(run.toString()).isZero();
    assertThat(run.out().split("\n")).containsAll(numbers());
    KblakeRun events =
        KblakeRun.in(directory).run("get", FROM, TO, "-f", "tsv", "--color=always", "K:TEXT");
    assertThat(events.out()).contains("99" + EVIL.replace("\r", "\\r"));
  }

  /** XML 1.0 has no control characters, not even as references. */
  @Test
  void picturesAreXml() throws Exception {
    for (List<String> names : List.of(numbers().subList(0, 12), List.of("K:\u001bX"))) {
      List<String> line = new ArrayList<>(List.of("plot", FROM, TO, "-o", "plot.svg"));
      line.addAll(names);
      KblakeRun run = KblakeRun.in(directory).run(line.toArray(String[]::new));
      assertThat(run.status()).as(run.toString()).isZero();
      byte[] svg = Files.readAllBytes(directory.resolve("plot.svg"));
      assertThat(
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .parse(new ByteArrayInputStream(svg))
                  .getDocumentElement()
                  .getTextContent())
          .contains("K:");
    }
    KblakeRun run = KblakeRun.in(directory).run("coverage", "-o", "strips.svg");
    assertThat(run.status()).as(run.toString()).isZero();
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(directory.resolve("strips.svg").toFile())
                .getDocumentElement()
                .getTextContent())
        .contains("VA/G");
  }
}
