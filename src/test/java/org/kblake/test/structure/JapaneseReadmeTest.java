package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.test.fixture.TestStores;

/**
 * README.ja.md has the commands of README.md, and docs/operator.ja.md those of docs/operator.md.
 * docs/troubleshooting.ja.md has messages that kblake prints.
 */
final class JapaneseReadmeTest {

  private static final Path ROOT = Path.of("..", "..");

  /** A message of the document. The parts that vary are dots. */
  private static final Pattern MESSAGE = Pattern.compile("(?m)^\\*\\*`(.*)`\\*\\*$");

  private static final Pattern CONSOLE = Pattern.compile("(?s)```console\n(.*?)```");

  @TempDir private Path directory;

  @Test
  void commandsAreThoseOfTheEnglishReadme() throws IOException {
    List<String> english = commands("README.md");
    assertThat(english).hasSize(5);
    assertThat(commands("README.ja.md")).isEqualTo(english);
  }

  /** Returns the lines of the indented blocks, without comments. */
  private static List<String> commands(String document) throws IOException {
    return Files.readString(ROOT.resolve(document))
        .lines()
        .filter(line -> line.startsWith("    "))
        .map(line -> line.replaceAll(" +#.*", ""))
        .toList();
  }

  /** The page for operators has the same commands with the same output. */
  @Test
  void consolesAreThoseOfTheEnglishPage() throws IOException {
    List<String> english = consoles("docs/operator.md");
    assertThat(english).hasSizeGreaterThan(4);
    assertThat(consoles("docs/operator.ja.md")).isEqualTo(english);
  }

  private static List<String> consoles(String document) throws IOException {
    return CONSOLE
        .matcher(Files.readString(ROOT.resolve(document)))
        .results()
        .map(found -> found.group(1).replaceAll("(?m) +# .*$", ""))
        .toList();
  }

  @Test
  void documentsPointToEachOther() throws IOException {
    assertThat(Files.readString(ROOT.resolve("docs/operator.md"))).contains("(operator.ja.md)");
    assertThat(Files.readString(ROOT.resolve("docs/operator.ja.md"))).contains("(operator.md)");
    assertThat(Files.readString(ROOT.resolve("README.md"))).contains("(README.ja.md)");
    assertThat(Files.readString(ROOT.resolve("README.ja.md"))).contains("(README.md)");
  }

  @Test
  void messagesArePrinted() throws Exception {
    List<String> messages =
        MESSAGE
            .matcher(Files.readString(ROOT.resolve("docs/troubleshooting.ja.md")))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(messages).hasSize(10).doesNotHaveDuplicates();
    List<String> printed = printed().stream().flatMap(String::lines).toList();
    for (String message : messages) {
      Pattern pattern = Pattern.compile(Pattern.quote(message).replace("…", "\\E.+\\Q"));
      assertThat(printed).as(message).anyMatch(line -> pattern.matcher(line).find());
    }
  }

  /** Returns what kblake prints in the situations that the document describes. */
  private List<String> printed() throws Exception {
    Path archive = TestStores.sample("mixed", directory.resolve("archive"));
    Path missing = TestStores.copy(archive, directory.resolve("missing"));
    Files.move(missing.resolve("VA"), directory.resolve("unmounted"));
    Path store = directory.resolve("store");
    Archive opened = Archive.open(archive, ArchiveSettings.defaults());
    KblakeRun.Builder kblake = KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive.toString());
    String channel = "RF_AnalogData:D02_007:XPOS";
    Exception locked;
    try (Store writer = TestStores.storeForWriting(opened, store)) {
      locked = catchException(() -> TestStores.storeForWriting(opened, writer.directory()));
    }
    return List.of(
        KblakeRun.in(directory).run("channels").err(),
        kblake.run("get", channel + "X", "--from", "20160516").err(),
        kblake.run("backfill", "-g", "RF/AnalogDat", "--store", "none").err(),
        kblake.run("get", channel, "--from", "soon").err(),
        kblake.run("get", channel, "--from", "20160601", "--to", "20160602").err(),
        kblake.run("get", channel, "--from", "20160516", "--store", "none").err(),
        kblake.run("get", "*", "--from", "20160516", "--archive", missing.toString()).err(),
        kblake.run("get", channel, "--store", store.toString(), "--zone", "UTC").err(),
        String.valueOf(locked.getMessage()),
        String.valueOf(
            WriteFailure.explained(
                    new IOException("No space left on device"), directory, "all is kept")
                .getMessage()));
  }
}
