package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.GuardedProvider;

/** {@code kblake doctor} ends although a volume does not respond, and reports the volume. */
final class DoctorOnUnresponsiveVolumeTest {

  @TempDir private Path directory;

  private String doctor(String hanging) throws IOException {
    Path archive = TestStores.sample("mixed", directory.resolve("archive"));
    GuardedProvider volumes = new GuardedProvider(archive);
    volumes.hang(directory.resolve(hanging));
    try {
      KblakeRun run =
          KblakeRun.in(volumes.path(directory))
              .run("doctor", "--archive", "archive", "--store", "store");
      assertThat(run.err()).isEmpty();
      assertThat(volumes.refusals()).isEmpty();
      assertThat(directory.resolve("store")).doesNotExist();
      return run.out().replaceAll("\\s+", " ");
    } finally {
      volumes.answer();
    }
  }

  @Test
  void archiveThatHangsIsAProblem() throws IOException {
    assertThat(doctor("archive"))
        .contains("archive problem", "does not answer within 2000 ms")
        .contains("store unknown not examined, because the archive does not answer")
        .contains("Correct this problem first: archive.");
  }

  @Test
  void groupsOnAVolumeThatHangsAreMissed() throws IOException {
    assertThat(doctor("archive/RF"))
        .contains("archive warning", "newest event", "does not answer within 2000 ms")
        .contains("store ok");
  }
}
