package org.kblake.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

    assertThat(resolve(Map.of(), null).get(SettingName.ZONE))
        .isEqualTo(
            new Setting(SettingName.ZONE, "UTC", directory.resolve("kblake.toml").toString()));
    variables.put("KBLAKE_ZONE", "Europe/Zurich");
    assertThat(resolve(Map.of(), null).get(SettingName.ZONE))
        .isEqualTo(new Setting(SettingName.ZONE, "Europe/Zurich", "KBLAKE_ZONE"));
    assertThat(resolve(Map.of(SettingName.ZONE, "Asia/Seoul"), null).get(SettingName.ZONE))
        .isEqualTo(new Setting(SettingName.ZONE, "Asia/Seoul", "--zone"));
    assertThat(resolve(Map.of(), null).get(SettingName.TAIL))
        .isEqualTo(new Setting(SettingName.TAIL, "auto", "default"));
    assertThat(resolve(Map.of(), null).duration(SettingName.SETTLE)).hasSeconds(5);
  }

  @Test
  void defaultsAreThoseOfTheReferenceLayout() {
    Settings settings = resolve(Map.of(), null);
    assertThat(settings.zone()).isEqualTo(ZoneOffset.ofHours(9));
    assertThat(settings.zoneName()).isEqualTo("Asia/Tokyo");
    assertThat(settings.duration(SettingName.DISORDER_BOUND)).isEqualTo(Duration.ofMinutes(10));
    assertThat(settings.duration(SettingName.CLOSED_AFTER)).isEqualTo(Duration.ofHours(1));
    assertThat(settings.duration(SettingName.SETTLE)).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.hasStore()).isFalse();
  }

  @Test
  void emptyVariableIsIgnored() {
    variables.put("KBLAKE_ZONE", "");
    assertThat(resolve(Map.of(), null).get(SettingName.ZONE).source()).isEqualTo("default");
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
  }

  @Test
  void unknownKeyIsNamedWithTheNearest() throws IOException {
    write("kblake.toml", "archiv = \"/logs\"\n");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessageContaining("kblake.toml: unknown key 'archiv'; did you mean archive?");
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
      Settings settings = resolve(Map.of(SettingName.STORE, "/columns"), null);
      assertThat(settings.store()).isEqualTo(Path.of("/columns"));
    }
  }

  @Test
  void brokenFileIsNamedWithItsLine() throws IOException {
    write("kblake.toml", "zone = \"UTC\"\nstore = columns\n");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> resolve(Map.of(), null))
        .withMessageContaining("kblake.toml: line 2");
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

  private Settings resolve(Map<SettingName, String> options, @Nullable Path config) {
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
