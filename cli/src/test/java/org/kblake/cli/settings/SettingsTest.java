package org.kblake.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.ProcessEnvironment;

final class SettingsTest {

  @TempDir private Path directory;

  private final Map<String, String> variables = new HashMap<>();

  @Test
  void optionPrecedesVariableThenFileThenDefault() throws IOException {
    write("kblake.toml", "zone = \"UTC\"\nsettle = \"5s\"\n");

    assertShown(
        resolve(Map.of(), null), "zone", "UTC", directory.resolve("kblake.toml").toString());
    variables.put("KBLAKE_ZONE", "Europe/Zurich");
    assertShown(resolve(Map.of(), null), "zone", "Europe/Zurich", "KBLAKE_ZONE");
    Settings settings = resolve(Map.of(CommonSetting.ZONE, "Asia/Seoul"), null);
    assertShown(settings, "zone", "Asia/Seoul", "--zone");
    assertThat(settings.zone()).isEqualTo(ZoneId.of("Asia/Seoul"));
    assertShown(resolve(Map.of(), null), "tail", "auto", "default");
    assertThat(resolve(Map.of(), null).get(CommonSetting.SETTLE)).hasSeconds(5);
  }

  private static void assertShown(Settings settings, String key, String value, String source) {
    assertThat(settings.lines()).contains(new ShownSetting(key, value, source));
  }

  @Test
  void defaultsAreThoseOfTheReferenceLayout() {
    Settings settings = resolve(Map.of(), null);
    assertThat(settings.zone()).isEqualTo(ZoneOffset.ofHours(9));
    assertThat(settings.zoneName()).isEqualTo("Asia/Tokyo");
    assertThat(settings.get(CommonSetting.DISORDER_BOUND)).isEqualTo(Duration.ofMinutes(10));
    assertThat(settings.get(CommonSetting.CLOSED_AFTER)).isEqualTo(Duration.ofHours(1));
    assertThat(settings.get(CommonSetting.SETTLE)).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.hasStore()).isFalse();
  }

  @Test
  void emptyVariableIsIgnored() {
    variables.put("KBLAKE_ZONE", "");
    assertThat(resolve(Map.of(), null).source(CommonSetting.ZONE)).isEqualTo("default");
  }

  @Test
  void namedFileReplacesTheOneOfTheWorkingDirectory() throws IOException {
    write("kblake.toml", "zone = \"UTC\"\nstore = \"here\"\n");
    write("other.toml", "zone = \"Asia/Seoul\"\n");

    Settings settings = resolve(Map.of(), Path.of("other.toml"));
    assertThat(settings.zone()).isEqualTo(ZoneId.of("Asia/Seoul"));
    assertThat(settings.hasStore()).isFalse();

    variables.put("KBLAKE_CONFIG", directory.resolve("other.toml").toString());
    assertThat(resolve(Map.of(), null).zone()).isEqualTo(ZoneId.of("Asia/Seoul"));
  }

  @Test
  void directoriesInAFileAreRelativeToTheFile() throws IOException {
    Files.createDirectory(directory.resolve("site"));
    write("site/kblake.toml", "archive = \"logs\"\nstore = \"/columns\"\n");

    Settings settings = resolve(Map.of(), Path.of("site/kblake.toml"));
    assertThat(settings.archive()).isEqualTo(directory.resolve("site/logs"));
    assertThat(settings.store()).isEqualTo(Path.of("/columns"));
    String file = directory.resolve("site/kblake.toml").toString();
    assertShown(settings, "archive", directory.resolve("site/logs").toString(), file);
    assertShown(settings, "metadata", "-", "not set");
  }

  /** A command that does not use a value works, and one that precedes it hides it. */
  @Test
  void wrongValueIsAnErrorWhenItIsUsed() throws IOException {
    write("kblake.toml", "archive = \"/logs\"\nsettle = \"soon\"\nzone = \"Mars\"\n");
    String file = directory.resolve("kblake.toml") + ": line ";
    Settings settings = resolve(Map.of(), null);
    assertThat(settings.archive()).isEqualTo(Path.of("/logs"));
    assertThat(settings.problems())
        .containsExactly(
            file + "3: no such time zone: Mars (write Asia/Tokyo)",
            file
                + "2: settle: 'soon' is not a duration; write 90m, 7d, 2h30m, 1.5s (w d h m s ms us"
                + " ns)");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> settings.get(CommonSetting.SETTLE))
        .withMessage(settings.problems().get(1));
    assertThatExceptionOfType(UsageException.class).isThrownBy(settings::outZone);
    Settings chosen = resolve(Map.of(CommonSetting.ZONE, "UTC"), null);
    assertThat(chosen.zone()).isEqualTo(ZoneId.of("UTC"));
    assertThat(chosen.problems()).hasSize(1);
  }

  /** Such is a path beyond ASCII in the locale C. The message says which locale has it. */
  @Test
  void aPathThatCannotBeUsedIsNoWrongUsage() {
    Settings settings = resolve(Map.of(CommonSetting.ARCHIVE, "a\0b"), null);
    assertThatExceptionOfType(InvalidPathException.class).isThrownBy(settings::archive);
    assertThat(settings.problems()).hasSize(1).first().asString().startsWith("path cannot be used");
  }

  @Test
  void unknownKeyIsNamedWithTheNearest() throws IOException {
    write("kblake.toml", "archiv = \"/logs\"\n");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessageContaining("kblake.toml: line 1: unknown key 'archiv'; did you mean archive?");
  }

  @Test
  void valueThatIsNotATextIsRefused() throws IOException {
    write("kblake.toml", "settle = 2\n");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessageContaining("settle must be a text in quotes, found 2");
  }

  @Test
  void arraysAreShownAsTheyAreWritten() throws IOException {
    write("kblake.toml", "settle = [\"2s\", 3]\n");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessageContaining("settle must be a text in quotes, found [\"2s\", 3]");
  }

  @Test
  void filesWithoutValuesChangeNothing() throws IOException {
    for (String text : List.of("", "# store = \"columns\"\n")) {
      write("kblake.toml", text);
      Settings settings = resolve(Map.of(CommonSetting.STORE, "/columns"), null);
      assertThat(settings.store()).isEqualTo(Path.of("/columns"));
    }
  }

  @Test
  void brokenFileIsNamedWithItsLine() throws IOException {
    write("kblake.toml", "zone = \"UTC\"\nstore = columns\n");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessageEndingWith(
            "kblake.toml: line 2: text is not in quotes; write store = \"columns\"");
  }

  @Test
  void textsWithoutQuotesAreNamed() throws IOException {
    for (String value : List.of("/kekblog", "~/logs", "$HOME/logs", "Asia/Tokyo", "2s", "./a b")) {
      write("kblake.toml", "\n  settle = " + value + "   # as a shell has it\n");
      assertThatExceptionOfType(UsageException.class)
          .isThrownBy(() -> resolve(Map.of(), null))
          .withMessageEndingWith(
              "kblake.toml: line 2: text is not in quotes; write settle = \"" + value + "\"");
    }
  }

  @Test
  void otherMistakesAreNotTakenForMissingQuotes() throws IOException {
    for (String line : List.of("store = \"columns", "store =", "store", "store = [\"a\"", "= 3")) {
      write("kblake.toml", "zone = \"UTC\"\n" + line + "\n");
      assertThatExceptionOfType(UsageException.class)
          .isThrownBy(() -> resolve(Map.of(), null))
          .withMessageContaining("kblake.toml: line ")
          .withMessageContaining(": not TOML: ");
    }
  }

  @Test
  void encodingsOtherThanUtf8AreNamed() throws IOException {
    Path file = directory.resolve("kblake.toml");
    Files.writeString(file, "\ufeffzone = \"UTC\"\n");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessage(
            file
                + ": line 1: file begins with a byte order mark (BOM); save it as UTF-8 without"
                + " BOM");
    Files.writeString(file, "zone = \"UTC\"\n", StandardCharsets.UTF_16);
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessage(file + ": line 1: file is UTF-16; save it as UTF-8");
    Files.writeString(file, "zone = \"UTC\"\n# \u30c4\u30af\u30d0\n", Charset.forName("EUC-JP"));
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessage(file + ": line 2: file is not UTF-8; save it as UTF-8");
    Files.writeString(file, "zone = \"UTC\"\n# \u30c4\u30af\u30d0\n");
    assertThat(resolve(Map.of(), null).zoneName()).isEqualTo("UTC");
  }

  @Test
  void linesOfKeysAreFound() throws IOException {
    write(
        "kblake.toml",
        """
        # archive = "x"
        archive = "/logs"
        run.poll = "1s"

        [ run . group."VA/CCG" ]
        mode = "never"
        [run.group]
        'BM/DCCT'.mode = "never"
        "BM/BPM" = { mode = "never" }
        """);
    String file = directory.resolve("kblake.toml") + ": line ";
    Settings settings = resolve(Map.of(), null);
    assertThat(settings.place(CommonSetting.ARCHIVE)).isEqualTo(file + 2);
    assertThat(settings.place(List.of("run", "poll"))).isEqualTo(file + 3);
    assertThat(settings.place(List.of("run", "group", "VA/CCG"))).isEqualTo(file + 5);
    assertThat(settings.place(List.of("run", "group", "VA/CCG", "mode"))).isEqualTo(file + 6);
    assertThat(settings.place(List.of("run", "group", "BM/DCCT", "mode"))).isEqualTo(file + 8);
    assertThat(settings.place(List.of("run", "group", "BM/BPM", "mode"))).isEqualTo(file + 9);
    assertThat(settings.place(List.of("other"))).isEqualTo(directory.resolve("kblake.toml") + "");
    assertThat(settings.place(CommonSetting.ZONE)).isEqualTo("default");
  }

  @Test
  void missingNamedFileIsAnError() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), Path.of("none.toml")))
        .withMessageContaining("none.toml: no such file");
  }

  @Test
  void errorOfMissingArchiveSaysHowToSetIt() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null).archive())
        .withMessage(
            "no archive: give --archive DIR, set KBLAKE_ARCHIVE,"
                + " or write archive = \"DIR\" into kblake.toml");
  }

  @Test
  void errorOfWrongZoneNamesItsOrigin() {
    variables.put("KBLAKE_ZONE", "Asia/Tsukuba");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null).zone())
        .withMessageContaining("KBLAKE_ZONE: no such time zone: Asia/Tsukuba");
  }

  private Settings resolve(Map<SettingKey<?>, String> options, @Nullable Path config) {
    return Settings.resolve(
        options,
        config,
        new ProcessEnvironment(
            InputStream.nullInputStream(),
            new ByteArrayOutputStream(),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            variables,
            directory,
            Clock.systemUTC(),
            false,
            false));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }
}
