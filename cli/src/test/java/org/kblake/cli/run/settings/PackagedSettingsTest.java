package org.kblake.cli.run.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.gather.GatherSetting;
import org.kblake.cli.serve.ServeSetting;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingsTable;

/** Checks the packaged settings file and the documentation of settings. */
final class PackagedSettingsTest {

  @TempDir private Path directory;

  /** The settings that are comments in the file are checked, too. */
  @Test
  void packagedFileHasNoProblems() throws IOException {
    String packed = Files.readString(Path.of("../packaging/kblake.toml"));
    Path archive = directory.resolve("archive");
    Files.createDirectories(archive.resolve("VA"));
    Files.createFile(archive.resolve("VA/CCG_20160516000000.log1"));
    KblakeRun.Builder here = KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive.toString());
    Files.writeString(directory.resolve("kblake.toml"), packed);
    assertThat(here.run("config", "check").err()).isEmpty();
    Files.writeString(
        directory.resolve("kblake.toml"), packed.replaceAll("(?m)^# (?=[a-z-]+ =|\\[)", ""));
    KblakeRun all = here.run("config", "check");
    assertThat(all.err()).isEmpty();
    assertThat(all.out()).containsPattern("run.budget +500G").contains("run.group.\"VA/CCG\"");
  }

  @Test
  void pagesHaveAllSettings() throws IOException {
    assertListed("operations.md", RunSetting.TABLE);
    assertListed("server.md", ServeSetting.TABLE);
    assertListed("transfer.md", GatherSetting.TABLE);
  }

  /**
   * The rows of the page that begin with a key of the table are those of the declaration, without
   * links.
   */
  private static void assertListed(String page, SettingsTable table) throws IOException {
    Set<String> keys = table.keys().stream().map(SettingKey::name).collect(Collectors.toSet());
    List<String> rows =
        Files.readString(Path.of("../docs", page))
            .lines()
            .filter(row -> row.matches("\\| `[a-z-]+` \\|[^|]*\\|[^|]*\\|"))
            .filter(row -> keys.contains(row.split("`")[1]))
            .map(row -> row.replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1"))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            table.keys().stream()
                .map(
                    key ->
                        "| `%s` | %s | %s |"
                            .formatted(
                                key.name(),
                                Objects.requireNonNullElse(key.preset(), ""),
                                key.meaning()))
                .toList());
  }
}
