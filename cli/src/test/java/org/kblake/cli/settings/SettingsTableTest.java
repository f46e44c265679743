package org.kblake.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.TableOptions;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.core.archive.TailRule;
import picocli.CommandLine;

/** A table is a declaration of keys and no more. This table is none of the program. */
final class SettingsTableTest {

  /** The name is that of a table which the file may have. */
  private static final SettingsTable TABLE = new SettingsTable("serve", " ");

  private static final SettingKey<String> TITLE =
      TABLE.key("title", SettingType.of("TEXT", text -> text), "none");
  private static final SettingKey<Duration> FLUSH =
      TABLE.key("flush", SettingType.durations("10ms", "1h"), "1s").option("Time of a flush.");
  private static final SettingKey<Long> BUFFER =
      TABLE
          .key(
              "buffer",
              SettingType.SIZE.in(bytes -> bytes >= 4096, "must be at least 4K, found %s"),
              "1M")
          .option("Size of the buffer.");
  private static final SettingKey<Integer> WRITERS =
      TABLE.key("writers", SettingType.COUNT, "2").option("Number of writers.");
  private static final SettingKey<Boolean> SYNC =
      TABLE.key("sync", SettingType.SWITCH, "no").option("Wait for the disk.");
  private static final SettingKey<Path> TARGET =
      TABLE.key("target", SettingType.DIRECTORY).option("Directory of the files.");
  private static final SettingKey<List<Integer>> PORTS =
      TABLE.key("ports", SettingType.list(SettingType.count(0))).option("Ports.");
  private static final SettingKey<TailRule> TAIL =
      TABLE.key("tail", SettingType.constant(TailRule.class), "auto").option("Rule for tails.");

  @TempDir private Path directory;

  private final List<String> problems = new ArrayList<>();

  private TableValues read(String text, Map<SettingKey<?>, String> options) throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), text);
    Settings settings =
        Settings.resolve(
            Map.of(),
            null,
            new ProcessEnvironment(
                InputStream.nullInputStream(),
                new ByteArrayOutputStream(),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                Map.of(),
                directory,
                Clock.systemUTC(),
                false,
                false));
    TableValues values = new TableValues(TABLE, settings, problems::add);
    values.read(options);
    return values;
  }

  @Test
  void keysHaveTheirDefaults() throws IOException {
    TableValues values = read("", Map.of());
    assertThat(problems).isEmpty();
    assertThat(values.get(TITLE)).isEqualTo("none");
    assertThat(values.get(FLUSH)).isEqualTo(Duration.ofSeconds(1));
    assertThat(values.get(BUFFER)).isEqualTo(1 << 20);
    assertThat(values.get(WRITERS)).isEqualTo(2);
    assertThat(values.get(SYNC)).isFalse();
    assertThat(values.isSet(TARGET)).isFalse();
    assertThat(values.path(TARGET)).isNull();
    assertThat(values.find(PORTS)).isNull();
    assertThat(values.get(TAIL)).isEqualTo(TailRule.AUTO);
    assertThat(values.lines())
        .hasSize(8)
        .startsWith(new ShownSetting("serve.title", "none", "default"))
        .contains(new ShownSetting("serve.target", "-", "not set"));
  }

  @Test
  void optionPrecedesTheFile() throws IOException {
    TableValues values =
        read(
            """
            [serve]
            flush = "20ms"
            buffer = "8K"
            writers = 3
            sync = "yes"
            target = "files"
            ports = "1, 2"
            tail = "final"
            """,
            Map.of(BUFFER, "16K"));
    String file = directory.resolve("kblake.toml").toString();
    assertThat(problems).isEmpty();
    assertThat(values.get(FLUSH)).isEqualTo(Duration.ofMillis(20));
    assertThat(values.get(BUFFER)).isEqualTo(16 << 10);
    assertThat(values.get(WRITERS)).isEqualTo(3);
    assertThat(values.get(SYNC)).isTrue();
    assertThat(values.path(TARGET)).isEqualTo(directory.resolve("files"));
    assertThat(values.get(PORTS)).containsExactly(1, 2);
    assertThat(values.get(TAIL)).isEqualTo(TailRule.FINAL);
    assertThat(values.lines())
        .contains(
            new ShownSetting("serve.ports", "1, 2", file),
            new ShownSetting("serve.buffer", "16K", "--buffer"));
  }

  @Test
  void mistakesAreNamedWithTheirLine() throws IOException {
    TableValues values =
        read(
            """
            [serve]
            flush = "2h"
            bufer = "8K"
            writers = "none"
            sync = true
            target = ""
            ports = "1, x"
            tail = "soft"
            buffer = "1K"
            """,
            Map.of(FLUSH, "soon"));
    assertThat(problems.stream().map(line -> line.replace(directory + "/", "")))
        .containsExactly(
            "kblake.toml: line 2: serve.flush: '2h' is not a duration from 10ms to 1h",
            "kblake.toml: line 3: unknown key 'serve.bufer'; did you mean buffer? (keys: title,"
                + " flush, buffer, writers, sync, target, ports, tail)",
            "kblake.toml: line 4: serve.writers: 'none' is not a number from 1 to 9999",
            "kblake.toml: line 5: serve.sync must be a text in quotes, found true",
            "kblake.toml: line 6: serve.target: '' is not a directory",
            "kblake.toml: line 7: serve.ports: 'x' is not a number from 0 to 9999",
            "kblake.toml: line 8: serve.tail: 'soft' is not one of auto, final, provisional",
            "--flush: 'soon' is not a duration; write 90m, 7d, 2h30m, 1.5s (w d h m s ms us ns)",
            "kblake.toml: line 9: buffer must be at least 4K, found 1K");
    assertThat(values.get(FLUSH)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void keysHaveOptionsOfTheirNames() {
    CommandModel model = CommandModel.of("record", "Record.");
    TableOptions options = model.table(TABLE);
    CommandLine line = model.line(null);
    assertThat(options.given()).isEmpty();
    line.parseArgs("--flush=5s", "--sync", "--ports=1", "--ports", "2", "--writers", "4");
    assertThat(options.given())
        .isEqualTo(Map.of(FLUSH, "5s", SYNC, "yes", PORTS, "1,2", WRITERS, "4"));
    assertThat(line.getUsageMessage())
        .containsPattern("--flush=DURATION +Time of a flush\\.")
        .containsPattern("--buffer=SIZE +Size of the buffer\\.")
        .containsPattern("--sync +Wait for the disk\\.")
        .containsPattern("--target=DIR +Directory of the files\\.")
        .doesNotContain("--title");
  }
}
