package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.DyingFiles;
import org.kblake.lake.fixture.LakeFixture;

/** Only {@code kblake lake drop} removes snapshots and data files. */
final class LakeDropTest {

  @TempDir private Path directory;

  @AfterEach
  void live() {
    DyingFiles.dieAfter(Integer.MAX_VALUE);
  }

  private LakeFixture merged(String test) throws Exception {
    long seed = Seeds.one(test);
    LakeFixture fixture = LakeFixture.inSteps(directory, seed, 6);
    fixture.succeed("lake publish tables");
    fixture.mergeAll();
    fixture.succeed("lake publish tables");
    return fixture;
  }

  private static List<String> data(LakeFixture fixture) throws IOException {
    try (Stream<Path> files = Files.walk(fixture.tables())) {
      return new ArrayList<>(
          files.map(Path::toString).filter(file -> file.contains("/data/")).sorted().toList());
    }
  }

  private static Map<Group, List<String>> rows(LakeFixture fixture) throws IOException {
    Map<Group, List<String>> rows = new HashMap<>();
    for (Group group : fixture.groups()) {
      rows.put(group, fixture.rows(group));
    }
    return rows;
  }

  @Test
  void dropRemovesWhatOnlyOldSnapshotsNeed() throws Exception {
    LakeFixture fixture = merged("dropRemovesWhatOnlyOldSnapshotsNeed");
    Map<Group, List<String>> rows = rows(fixture);
    int files = data(fixture).size();
    assertThat(fixture.succeed("lake drop --before 2001-01-01 tables"))
        .containsPattern("snapshots +0\n")
        .containsPattern("files +0\n");
    assertThat(data(fixture)).hasSize(files);
    assertThat(fixture.succeed("lake drop --before 2200-01-01 tables"))
        .containsPattern("snapshots +[1-9]");
    assertThat(fixture.snapshots().values()).containsOnly(1);
    assertThat(rows(fixture)).isEqualTo(rows);
    assertThat(data(fixture)).hasSizeLessThan(files);
    assertThat(fixture.succeed("lake verify tables")).containsPattern("as published +0\n");
    assertThat(fixture.succeed("lake drop --before 2200-01-01 tables"))
        .containsPattern("files +0\n");
    assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +0\n");
  }

  @Test
  void aDropThatIsKilledIsContinued() throws Exception {
    LakeFixture fixture = merged("aDropThatIsKilledIsContinued");
    Map<Group, List<String>> rows = rows(fixture);
    fixture.save();
    fixture.succeed("lake drop --before 2200-01-01 tables");
    List<String> after = data(fixture);
    String drop =
        "lake drop --property io-impl="
            + DyingFiles.class.getName()
            + " --before 2200-01-01 tables";
    fixture.restore();
    int steps = 1 << 20;
    DyingFiles.dieAfter(steps);
    fixture.succeed(drop);
    int needed = steps - DyingFiles.stepsLeft();
    SplittableRandom random = new SplittableRandom(Seeds.one("aDropThatIsKilledIsContinued"));
    for (int kill = 0; kill < 5; kill++) {
      fixture.restore();
      int survived = random.nextInt(needed);
      DyingFiles.dieAfter(survived);
      fixture.run(drop.split(" "));
      DyingFiles.dieAfter(Integer.MAX_VALUE);
      assertThat(rows(fixture)).isEqualTo(rows);
      fixture.succeed("lake drop --before 2200-01-01 tables");
      assertThat(rows(fixture)).isEqualTo(rows);
      List<String> more = data(fixture);
      more.removeAll(after);
      assertThat(more).as("after %s of %s steps", survived, needed).isEmpty();
    }
  }

  @Test
  void aWrongTimeIsWrongUsage() throws Exception {
    LakeFixture fixture = LakeFixture.small(directory, 1);
    KblakeRun run = fixture.run("lake", "drop", "tables", "--before", "soon");
    assertThat(run.status()).isEqualTo(2);
    assertThat(fixture.run("lake", "drop", "tables").status()).isEqualTo(2);
  }
}
