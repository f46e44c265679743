package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/**
 * Commands on a store that cannot be opened, such as one that only its owner enters. The superuser
 * enters every directory, so a directory stands in the place of the identity file.
 */
final class UnreadableStoreTest {

  private static final String VA = "VA_CCG:D04_000:PRES";

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws Exception {
    kblake = CommandFixture.mixed(directory);
  }

  private void spoilStore() throws IOException {
    Path identity = CommandFixture.find(kblake.store(), "kblake-store.properties");
    Files.delete(identity);
    Files.createDirectory(identity);
  }

  /** What a store holds is in the logs, too. So the answers are the same, and slower. */
  @Test
  void answersComeFromTheLogs() throws Exception {
    List<String[]> questions =
        List.of(
            new String[] {"get", "--from", "2016-05-16", "--to", "2016-05-17", VA},
            new String[] {"get", "--at", "2016-05-16T00:30", VA},
            new String[] {"get", "--from", "2016-05-16", "--every", "1h", "--wide", VA},
            new String[] {"plot", "--from", "2016-05-16", "--to", "2016-05-17", VA},
            new String[] {"moved", "--at", "2016-05-16T00:30"},
            new String[] {"when", VA + " > 0", "--from", "2016-05-16", "--to", "2016-05-17"},
            new String[] {"diff", "--at", "2016-05-16T00:10", "--and", "2016-05-16T00:30"});
    List<KblakeRun> before = questions.stream().map(kblake::run).toList();
    KblakeRun text = kblake.kblogrd("-t", "20160516-20160517", "VA/CCG");
    kblake.backfill();
    spoilStore();
    for (int i = 0; i < questions.size(); i++) {
      KblakeRun run = kblake.run(questions.get(i));
      String name = String.join(" ", questions.get(i));
      assertThat(run.out()).as(name).isEqualTo(before.get(i).out());
      assertThat(run.status()).as(name).isEqualTo(before.get(i).status());
      assertThat(run.err()).as(name).startsWith("store cannot be used, raw logs are read: ");
    }
    KblakeRun same = kblake.kblogrd("-t", "20160516-20160517", "VA/CCG");
    assertThat(same.out()).isEqualTo(text.out());
    assertThat(same.status()).isZero();
    assertThat(same.err()).startsWith("kblogrd: store cannot be used, raw logs are read: ");
  }

  /** These commands also show what only a store has, so they are incomplete without it. */
  @Test
  void viewsOfArchiveAndStoreAreIncomplete() throws Exception {
    String names = kblake.run("channels").out();
    String coverage = kblake.run("coverage").out();
    assertThat(coverage).contains("- archiver down");
    kblake.backfill();
    spoilStore();
    KblakeRun channels = kblake.run("channels");
    assertThat(channels.out()).isEqualTo(names);
    assertThat(kblake.run("coverage").out()).isEqualTo(coverage);
    for (KblakeRun run : List.of(channels, kblake.run("coverage"), kblake.run("status"))) {
      assertThat(run.status()).as("%s", run).isEqualTo(3);
      assertThat(run.err()).contains(": incomplete: store cannot be read: ").hasLineCount(1);
    }
    KblakeRun check = kblake.run("check");
    assertThat(check.status()).isNotZero();
    assertThat(check.out()).contains("store cannot be read: ");
    KblakeRun columns = kblake.run("get", "--source", "store", "--last", "1", VA);
    assertThat(columns.status()).isEqualTo(1);
  }
}
