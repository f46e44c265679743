package org.kblake.cli.run.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

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
  void pageHasAllSettings() throws IOException {
    String page = Files.readString(Path.of("../docs/operations.md"));
    for (RunSetting setting : RunSetting.values()) {
      assertThat(page)
          .contains(
              String.format(
                  Locale.ROOT,
                  "| `%s` | %s | %s |",
                  setting.key(),
                  Objects.requireNonNullElse(setting.preset(), ""),
                  setting.meaning()));
    }
  }
}
