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
    Files.writeString(
        file,
        """
        archive = "/logs"
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
            "archive /logs " + file,
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
            + " mode, stale-warning, stale-critical, listen, status-interval, log-format)";
    String ofGroup = " (keys: mode, stale-warning, stale-critical)";
    assertThat(run.err().lines().map(line -> line.replace(directory + "/", "")))
        .containsExactlyInAnyOrder(
            "other.toml (--config): unknown key 'archiv'; did you mean archive? (keys: archive,"
                + " store, zone, out-zone, disorder-bound, closed-after, tail, settle, look-back)",
            "other.toml (--config): store must be a text in quotes, found 3",
            "other.toml: tail is auto, final or provisional, found soft",
            "other.toml: unknown key 'run.pol'; did you mean poll?" + keys,
            "other.toml: run.poll: 'soon' is not a duration; write 90m, 7d, 2h30m, 1.5s (w d h m"
                + " s ms us ns)",
            "other.toml: run.threads: '0' is not a number from 1 to 9999",
            "other.toml: memory must be at least 16M, found 1M",
            "other.toml: seal-bytes must be more than 0",
            "other.toml: run.seal-age: must be a text in quotes, found 10",
            "other.toml: run.listen: '9464' is not HOST:PORT; write 127.0.0.1:9464",
            "other.toml: run.log-format: 'xml' is not one of text, json",
            "other.toml: run.group.\"CCG\": group is not SYSTEM/NAME: CCG",
            "other.toml: run.group.\"VA/CCG\".mode: 'sometimes' is not one of follow, on-read,"
                + " never",
            "other.toml: unknown key 'run.group.\"VA/CCG\".mod'; did you mean mode?" + ofGroup,
            "other.toml: unknown key 'run.group.\"VA/CCG\".poll'" + ofGroup,
            "other.toml: run.group.\"VA/CCG\".stale-warning: 'sometimes' is not a duration; write"
                + " 90m, 7d, 2h30m, 1.5s (w d h m s ms us ns)");
  }

  @Test
  void fileThatIsNoTomlIsNamedWithItsLine() throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), "zone = \"UTC\"\n[run\n");
    KblakeRun run = KblakeRun.in(directory).run("config", "check");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("kblake.toml: line 2");
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
    String expected = ": mirror must be outside of the " + from + ", found " + found;
    KblakeRun check = KblakeRun.in(directory).run("config", "check");
    assertThat(check.status()).isEqualTo(2);
    assertThat(check.err()).contains(expected);
    KblakeRun option = KblakeRun.in(directory).run("run", "--mirror", found.toString());
    assertThat(option.status()).isEqualTo(2);
    assertThat(option.err()).contains("--mirror: mirror must be outside of the " + from);
    assertThat(directory.resolve("columns")).isEmptyDirectory();
  }
}
