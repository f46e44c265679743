package org.kblake.cli.command.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.cli.run.status.SampleStatuses;

final class CheckCommandTest {

  @TempDir private Path directory;

  private KblakeRun run(Instant now, String... args) throws IOException {
    Files.createDirectories(directory.resolve("archive"));
    return KblakeRun.in(directory)
        .at(now)
        .with("KBLAKE_ARCHIVE", directory.resolve("archive").toString())
        .with("KBLAKE_STORE", directory.resolve("store").toString())
        .run(args);
  }

  private void writeStatus(RunStatus status) throws IOException {
    Path store = Files.createDirectories(directory.resolve("store"));
    Files.write(store.resolve("kblake-run.json"), new ObjectMapper().writeValueAsBytes(status));
  }

  private static Instant soon() {
    return Instant.parse(SampleStatuses.WRITTEN).plusSeconds(20);
  }

  @Test
  void printsFiguresOfTheProcessInOneLine() throws IOException {
    writeStatus(SampleStatuses.running());
    KblakeRun run = run(soon(), "check");
    assertThat(run.out())
        .isEqualTo(
            "KBLAKE OK - process runs, newest event of each group within 10 h (VA/CCG),"
                + " lag 25 min (RF/AnalogData), coverage 95.00%,"
                + " disk full in 500 days, 500 MiB free | problems=0;0;;0 stale=36020s;;;0 lag=1500s;7200;43200;0"
                + " coverage=95%;95:;80:;0;100 disk=500;30:;7:;0 free=524288000B;;;0\n");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
  }

  @Test
  void thresholdsAreThoseOfTheCommandLine() throws IOException {
    writeStatus(SampleStatuses.running());
    assertThat(run(soon(), "check", "lag", "-w", "20m", "-c", "1h").status()).isEqualTo(1);
    assertThat(run(soon(), "check", "lag", "-w", "5m", "-c", "20m").status()).isEqualTo(2);
    assertThat(run(soon(), "check", "lag", "disk").status()).isZero();
  }

  @Test
  void groupWithoutRecentEventsIsCriticalUnlessItsSettingsAllowIt() throws IOException {
    writeStatus(SampleStatuses.running());
    KblakeRun stale = run(soon(), "check", "stale");
    assertThat(stale.out())
        .isEqualTo("KBLAKE CRITICAL - no event in VA/CCG for 10 h | stale=36020s;3600;21600;0\n");
    assertThat(stale.status()).isEqualTo(2);
    assertThat(run(soon(), "check", "stale", "-w", "5h", "-c", "11h").status()).isEqualTo(1);
    settings("[run]", "stale-warning = \"1h\"", "stale-critical = \"never\"");
    assertThat(run(soon(), "check").status()).isEqualTo(1);
    assertThat(run(soon(), "check", "stale", "-w", "11h", "-c", "12h").status()).isZero();
    settings("[run.group.\"VA/CCG\"]", "stale-warning = \"3d\"");
    KblakeRun silent = run(soon(), "check", "stale", "-c", "30m");
    assertThat(silent.status()).isZero();
    assertThat(silent.out()).contains("stale=36020s;259200;;0");
  }

  private void settings(String... lines) throws IOException {
    Files.write(directory.resolve("kblake.toml"), List.of(lines));
  }

  @Test
  void problemsAreAWarning() throws IOException {
    writeStatus(SampleStatuses.running("a volume is gone"));
    KblakeRun run = run(soon(), "check", "process");
    assertThat(run.out()).startsWith("KBLAKE WARNING - 1 problem: a volume is gone");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void silentProcessIsCritical() throws IOException {
    writeStatus(SampleStatuses.running());
    KblakeRun run = run(soon().plusSeconds(100), "check");
    assertThat(run.out())
        .startsWith("KBLAKE CRITICAL - process is silent since 120 s: host=elsewhere pid=4711");
    assertThat(run.status()).isEqualTo(2);
  }

  @Test
  void storeWithoutProcessIsCritical() throws IOException {
    KblakeRun run = run(soon(), "check", "process");
    assertThat(run.out()).isEqualTo("KBLAKE CRITICAL - no process has ever run on this store\n");
    assertThat(run.status()).isEqualTo(2);
  }

  /** An exit status of 1 or 2 would be a false alarm. */
  @Test
  void missingFiguresAndWrongUsageAreUnknown() throws IOException {
    writeStatus(SampleStatuses.running());
    assertThat(run(soon(), "check", "scrub").status()).isEqualTo(3);
    assertThat(run(soon(), "check", "lga"))
        .satisfies(
            run -> {
              assertThat(run.status()).isEqualTo(3);
              assertThat(run.err()).contains("no such kind: lga; did you mean lag?");
            });
    assertThat(run(soon(), "check", "-w", "1h").status()).isEqualTo(3);
    assertThat(run(soon(), "check", "--nonsense").status()).isEqualTo(3);
    Files.writeString(directory.resolve("store/kblake-run.json"), "{");
    KblakeRun damaged = run(soon(), "check");
    assertThat(damaged.status()).isEqualTo(3);
    assertThat(damaged.out()).startsWith("KBLAKE UNKNOWN - status file is damaged");
  }
}
