package org.kblake.cli.command.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.cli.KblakeRun;

final class ConfigCheckCommandTest {

  @TempDir private Path directory;

  @Test
  void showsEffectiveSettingsAndTheirOrigins() throws IOException {
    Path file = directory.resolve("kblake.toml");
    Files.createDirectories(directory.resolve("logs/VA"));
    Files.createFile(directory.resolve("logs/VA/CCG_20160516000000.log1"));
    Files.writeString(
        file,
        """
        archive = "logs"
        [run]
        poll = "250ms"
        threads = 4
        [run.group."VA/CCG"]
        mode = "on-read"
        stale-warning = "3d"
        stale-critical = "never"
        """);
    KblakeRun run = KblakeRun.in(directory).with("KBLAKE_ZONE", "UTC").run("config", "check");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(run.out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "archive " + directory.resolve("logs") + " " + file,
            "store - not set",
            "zone UTC KBLAKE_ZONE",
            "run.poll 250ms " + file,
            "run.seal-age 10m default",
            "run.threads 4 " + file,
            "run.listen - not set",
            "run.group.\"VA/CCG\".mode on-read " + file,
            "run.group.\"VA/CCG\".stale-warning 3d " + file,
            "run.group.\"VA/CCG\".stale-critical never " + file);
  }

  @Test
  void namesEveryProblemWithFileKeyAndWhatWasFound() throws IOException {
    Path file = directory.resolve("other.toml");
    Files.writeString(
        file,
        """
        archiv = "/logs"
        store = 3
        tail = "soft"
        [run]
        pol = "1s"
        poll = "soon"
        threads = 0
        memory = "1M"
        seal-bytes = "0"
        seal-age = 10
        listen = "9464"
        log-format = "xml"
        [run.group."CCG"]
        mode = "never"
        [run.group."VA/CCG"]
        mode = "sometimes"
        mod = "never"
        stale-warning = "sometimes"
        poll = "1s"
        """);
    KblakeRun run = KblakeRun.in(directory).run("config", "check", "other.toml");
    assertThat(run.status()).isEqualTo(2);
    String keys =
        " (keys: poll, seal-age, seal-bytes, seal-events, recheck, threads, memory, io-limit,"
            + " codec, aged-codec, aged-after, scrub-cycle, budget, free, eviction, retain, mirror,"
            + " mode, stale-warning, stale-critical, listen, token-file, insecure, gather, gather-name,"
            + " gather-groups, gather-quota, gather-window, gather-history, gather-token-file,"
            + " gather-tls, gather-insecure, zookeeper, status-interval, log-format)";
    String ofGroup = " (keys: mode, stale-warning, stale-critical)";
    assertThat(run.err().lines().map(line -> line.replace(directory + "/", "")))
        .containsExactlyInAnyOrder(
            "other.toml (--config): line 1: unknown key 'archiv'; did you mean archive? (keys:"
                + " archive, store, metadata, zone, out-zone, disorder-bound, closed-after, tail, settle, look-back)",
            "other.toml (--config): line 2: store must be a text in quotes, found 3",
            "other.toml: line 3: tail is auto, final or provisional, found soft",
            "other.toml: line 5: unknown key 'run.pol'; did you mean poll?" + keys,
            "other.toml: line 6: run.poll: 'soon' is not a duration; write 90m, 7d, 2h30m, 1.5s (w d h m"
                + " s ms us ns)",
            "other.toml: line 7: run.threads: '0' is not a number from 1 to 9999",
            "other.toml: line 8: memory must be at least 16M, found 1M",
            "other.toml: line 9: seal-bytes must be more than 0",
            "other.toml: line 10: run.seal-age: must be a text in quotes, found 10",
            "other.toml: line 11: run.listen: '9464' is not HOST:PORT, such as 127.0.0.1:8080",
            "other.toml: line 12: run.log-format: 'xml' is not one of text, json",
            "other.toml: line 13: run.group.\"CCG\": group is not SYSTEM/NAME: CCG",
            "other.toml: line 16: run.group.\"VA/CCG\".mode: 'sometimes' is not one of follow, on-read,"
                + " never",
            "other.toml: line 17: unknown key 'run.group.\"VA/CCG\".mod'; did you mean mode?"
                + ofGroup,
            "other.toml: line 19: unknown key 'run.group.\"VA/CCG\".poll'" + ofGroup,
            "other.toml: line 18: run.group.\"VA/CCG\".stale-warning: 'sometimes' is not a duration; write"
                + " 90m, 7d, 2h30m, 1.5s (w d h m s ms us ns)");
  }

  @Test
  void fileThatIsNoTomlIsNamedWithItsLine() throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), "zone = \"UTC\"\n[run\n");
    KblakeRun run = KblakeRun.in(directory).run("config", "check");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("kblake.toml: line 2");
  }

  @Test
  void directoriesThatDoNotExistAreNamed() throws IOException {
    Path file = directory.resolve("kblake.toml");
    Files.writeString(file, "zone = \"UTC\"\narchive = \"logs\"\nstore = \"columns\"\n");
    KblakeRun run = KblakeRun.in(directory).run("config", "check");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines())
        .containsExactly(
            file + ": line 2: archive: no such directory: " + directory.resolve("logs"));
    Files.writeString(directory.resolve("logs"), "");
    assertThat(KblakeRun.in(directory).run("config", "check").err().lines())
        .containsExactly(file + ": line 2: archive: not a directory: " + directory.resolve("logs"));
    assertThat(
            KblakeRun.in(directory)
                .with("KBLAKE_ARCHIVE", directory.toString())
                .run("config", "check")
                .err())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "~/a, ~, /home/user/a",
    "~, ~, /home/user",
    "$HOME/a, $HOME, /home/user/a",
    "${HOME}/a, ${HOME}, /home/user/a",
    "/x/$HOME, $HOME, /x//home/user",
  })
  void pathsThatOnlyShellsReplaceAreNamed(String written, String part, String replaced)
      throws IOException {
    Path file = directory.resolve("kblake.toml");
    Files.writeString(
        file,
        "archive = \"%s\"\nstore = \"%s\"\n[run]\nmirror = \"%s\"\n"
            .formatted(written, written, written));
    KblakeRun run = KblakeRun.in(directory).with("HOME", "/home/user").run("config", "check");
    String found = part + " is not replaced in settings; write \"" + replaced + "\"";
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines())
        .contains(
            file + ": line 1: archive: " + found,
            file + ": line 2: store: " + found,
            file + ": line 4: run.mirror: " + found)
        .noneMatch(line -> line.contains("no such directory"));
    KblakeRun option =
        KblakeRun.in(directory).with("HOME", "/home/user").run("config", "--archive", written);
    assertThat(option.err()).contains("--archive: archive: " + found);
  }

  @Test
  void variableWithoutValueIsNamed() throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), "archive = \"/x/$SITE\"\n");
    assertThat(KblakeRun.in(directory).run("config", "check").err())
        .contains("line 1: archive: $SITE is not replaced in settings; write the whole path");
    // A directory may have such a name
    Path literal = Files.createDirectory(directory.resolve("$SITE"));
    assertThat(
            KblakeRun.in(directory)
                .run("config", "check", "--archive", literal.toString())
                .status())
        .isZero();
  }

  @Test
  void groupsThatDoNotExistAreNamed() throws IOException {
    Path logs = directory.resolve("logs");
    Files.createDirectories(logs.resolve("VA"));
    Files.createFile(logs.resolve("VA/CCG_20160516000000.log1"));
    Path file = directory.resolve("kblake.toml");
    Files.writeString(
        file,
        """
        archive = "logs"
        [run.group."VA/CCG"]
        mode = "never"
        [run.group."VA/CCC"]
        mode = "never"
        [run.group."QQ/X"]
        stale-warning = "1d"
        """);
    KblakeRun run = KblakeRun.in(directory).run("config", "check");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines())
        .containsExactly(
            file + ": line 6: run.group.\"QQ/X\": no such group",
            file + ": line 4: run.group.\"VA/CCC\": no such group; did you mean VA/CCG?");
    // A list that cannot be read may have the groups
    Files.createDirectories(logs.resolve("SYS/KEKBLog.list"));
    assertThat(KblakeRun.in(directory).run("config", "check").status()).isZero();
  }

  /** A mistake in settings that a command does not use must not stop the command. */
  @Test
  void otherCommandsIgnoreTheTableRun() throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), "[run]\npol = \"x\"\n");
    assertThat(KblakeRun.in(directory).run("channels").err())
        .startsWith("kblake channels: no archive");
  }

  @Test
  void runNamesEveryProblemToo() throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), "[run]\npol = \"1s\"\n");
    KblakeRun run = KblakeRun.in(directory).run("run", "--threads", "none");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .contains("unknown key 'run.pol'", "; --threads: 'none' is not a number from 1 to 9999");
  }

  /**
   * In the archive, copies would change files that are only read. In the store, they would be taken
   * for columns. And a mirror is removed as a whole.
   */
  @ParameterizedTest
  @CsvSource({
    "logs/mirror, archive",
    "logs, archive",
    "., archive",
    "link/mirror, archive",
    "columns/mirror, store",
    "columns, store",
  })
  void mirrorMustBeOutsideOfArchiveAndStore(String mirror, String from) throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    Files.createDirectories(directory.resolve("columns"));
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("logs"));
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "logs"
        store = "columns"
        zone = "UTC"
        [run]
        mirror = "%s"
        """
            .formatted(mirror));
    Path found = directory.resolve(mirror);
    String expected = ": line 5: mirror must be outside of the " + from + ", found " + found;
    KblakeRun check = KblakeRun.in(directory).run("config", "check");
    assertThat(check.status()).isEqualTo(2);
    assertThat(check.err()).contains(expected);
    KblakeRun option = KblakeRun.in(directory).run("run", "--mirror", found.toString());
    assertThat(option.status()).isEqualTo(2);
    assertThat(option.err()).contains("--mirror: mirror must be outside of the " + from);
    assertThat(directory.resolve("columns")).isEmptyDirectory();
  }
}
