package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.volume.RemoteFileSystem.EVER;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.test.fixture.volume.RemoteFileSystem;
import org.kblake.test.fixture.volume.RemoteFileSystem.Operations;

/**
 * Publishes many times to a file system. In each run another change of a file fails, or it and all
 * later ones that need space. The tables have no wrong row, and the next run makes them whole.
 */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ErrorAtEveryChangeOfPublishTest {

  private static final int SAMPLES = 4;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"CHANGE, EIO", "ROOM, ENOSPC"})
  void tablesAreWholeAfterTheErrors(Operations operations, String error) throws Exception {
    long seed = Seeds.one("tablesAreWholeAfterTheErrors");
    LakeFixture fixture = LakeFixture.inSteps(directory, seed, 3);
    Path disk = Files.createDirectory(fixture.directory().resolve("disk"));
    try (RemoteFileSystem files =
        RemoteFileSystem.mountWritable(disk, fixture.directory().resolve("seen"))) {
      files.fail(operations, error, Long.MAX_VALUE, EVER, "/tables");
      fixture.succeed("lake publish seen/tables");
      long changes = files.count();
      System.out.printf("lake publish: %d of %d changes (%s)%n", SAMPLES, changes, error);
      List<String> truth = rows(fixture, "seen/tables");
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < SAMPLES; i++) {
        long k = 1 + random.nextLong(changes);
        String what = error + " of change " + k + " of " + changes + ", seed " + seed;
        String location = "seen/tables" + i;
        files.fail(
            operations, error, k, operations == Operations.ROOM ? EVER : k, location.substring(4));
        KblakeRun run = fixture.run("lake", "publish", location);
        files.heal();
        assertThat(run.status()).as("%s: %s", what, run).isIn(0, 1, 3);
        assertThat(run.err()).as(what).doesNotContain("internal error").doesNotContain("Exception");
        List<String> rows = rows(fixture, location);
        for (String row : truth) {
          rows.remove(row);
        }
        assertThat(rows).as(what).isEmpty();
        fixture.succeed("lake publish " + location);
        assertThat(rows(fixture, location)).as(what).isEqualTo(truth);
        fixture.succeed("lake verify -q " + location);
      }
    }
  }

  private static List<String> rows(LakeFixture fixture, String location) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Group group : fixture.groups()) {
      rows.addAll(fixture.rows(location, group));
    }
    return rows;
  }
}
