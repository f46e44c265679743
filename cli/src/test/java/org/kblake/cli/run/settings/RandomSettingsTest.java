package org.kblake.cli.run.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.gather.GatherSetting;
import org.kblake.cli.serve.ServeSetting;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingsTable;
import org.kblake.core.internal.fixture.Seeds;

/**
 * A settings file of random text, near to a right one or far from it, is read or refused with a
 * line that names the file and the line in it.
 */
final class RandomSettingsTest {

  private static final int FILES = 60;

  private static final List<String> OF_ALL =
      List.of("archive", "store", "zone", "out-zone", "disorder-bound", "tail", "look-back", "x");
  private static final List<String> TABLES =
      List.of(
          "run",
          "serve",
          "gather",
          "run.group",
          "run.group.\"VA/CCG\"",
          "x",
          "run.serve",
          "\"\"",
          "[run]");
  private static final List<String> VALUES =
      List.of(
          "\"10m\"",
          "\"-1s\"",
          "\"99999999999999999999d\"",
          "\"UTC\"",
          "\"\"",
          "\"\\u0000\"",
          "\"/kekb\\nlog\"",
          "'a\\b'",
          "\"500G\"",
          "\"1e400\"",
          "\"127.0.0.1:99999\"",
          "\"[::1]:0\"",
          "\"50%\"",
          "5",
          "1_000",
          "0x1F",
          "1".repeat(2000),
          "-inf",
          "nan",
          "1e999",
          "9223372036854775808",
          "true",
          "2024-05-20T00:00:00Z",
          "25:61:00",
          "[\"a\", \"b\"]",
          "[[1], {a = 2}]",
          "{a = {b = 3}}",
          "\"\"\"\na\n\"\"\"",
          "[".repeat(3000),
          "10m",
          "");

  @TempDir private Path directory;

  @Test
  void everyFileIsReadOrRefusedWithItsLine() throws Exception {
    Seeds.each("settings", FILES, this::check);
  }

  /** The parser of TOML calls itself for each part of a name. */
  @Test
  void aNameOfManyPartsIsRefused() throws IOException {
    assertClear("a.".repeat(20_000) + "a = 1\n", "parts");
    assertClear("[" + "a.".repeat(20_000) + "a]\n", "parts of a table");
  }

  private void check(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    List<String> keys = new ArrayList<>(OF_ALL);
    for (SettingsTable table : List.of(RunSetting.TABLE, ServeSetting.TABLE, GatherSetting.TABLE)) {
      table.keys().stream().map(SettingKey::name).forEach(keys::add);
    }
    for (int lines = random.nextInt(12); lines > 0; lines--) {
      if (random.nextInt(4) == 0) {
        text.append('[').append(TABLES.get(random.nextInt(TABLES.size()))).append("]");
      } else {
        text.append(keys.get(random.nextInt(keys.size())))
            .append(random.nextInt(30) == 0 ? ".a" : "")
            .append(random.nextInt(30) == 0 ? "" : " = ")
            .append(VALUES.get(random.nextInt(VALUES.size())));
      }
      text.append(random.nextInt(30) == 0 ? " # \u65e5" : "").append("\n");
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    for (int changes = random.nextInt(3); changes > 0 && bytes.length > 0; changes--) {
      bytes[random.nextInt(bytes.length)] =
          (byte)
              (random.nextBoolean()
                  ? random.nextInt()
                  : "\"'[]{}=.\n#\\".charAt(random.nextInt(11)));
    }
    assertClear(bytes, "seed " + seed);
  }

  private void assertClear(String text, String what) throws IOException {
    assertClear(text.getBytes(StandardCharsets.UTF_8), what);
  }

  private void assertClear(byte[] bytes, String what) throws IOException {
    Path file = directory.resolve("kblake.toml");
    Files.write(file, bytes);
    String shown =
        what + ":\n" + new String(bytes, 0, Math.min(2000, bytes.length), StandardCharsets.UTF_8);
    for (String command : List.of("config check", "channels")) {
      KblakeRun run = KblakeRun.in(directory).run(command.split(" "));
      assertThat(run.err()).as(shown).doesNotContain("internal error").doesNotContain("\tat ");
      assertThat(run.status()).as(shown).isBetween(0, 2);
      for (String line : run.err().lines().toList()) {
        assertThat(line).as(shown).hasSizeLessThan(8000);
        if (line.contains("kblake.toml") && !line.contains("no archive")) {
          assertThat(line)
              .as(shown)
              .containsPattern("kblake\\.toml: (line \\d+|a list or a name has too many levels)");
        }
      }
    }
  }
}
