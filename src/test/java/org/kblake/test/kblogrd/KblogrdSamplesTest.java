package org.kblake.test.kblogrd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.TimeRange;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestArchives;
import org.kblake.test.fixture.TestStores;

/**
 * kblogrd prints the expected answers of the samples byte for byte, from raw logs and from columns.
 */
final class KblogrdSamplesTest {

  @TempDir Path directory;

  /** A command line and the expected answer, which is a file of the sample. */
  private record Question(String answer, String... args) {}

  @ParameterizedTest
  @ValueSource(strings = {"tiny-le", "tiny-be"})
  void tinySamplesGiveTheirAnswers(String sample) throws Exception {
    List<Question> questions =
        List.of(
            new Question("free-all.txt", "BM/DCCT"),
            new Question("free-all.txt", "-t", "20220315-20220316", "BM/DCCT"),
            new Question(
                "free-HCUR-031851-031851.txt",
                "-r",
                "BM_DCCT:HCUR",
                "-t",
                "20220315031851-20220315031851",
                "BM/DCCT"),
            new Question(
                "kaleida-HCUR,NOB_SET-031810-032010d10.txt",
                "-fkaleida",
                "-r",
                "BM_DCCT:HCUR,CGLINJ:BKSEL:NOB_SET",
                "-d20220315031810-20220315032010d10",
                "BM/DCCT"),
            new Question(
                "kaleida-NEVER,HCUR-031810-031900d10.txt",
                "-t",
                "20220315031810-202203150319d10",
                "-r",
                "^BM_DCCT:NEVER$-,BM_DCCT:HCUR",
                "-f",
                "kaleida",
                "BM/DCCT"));
    check(sample, questions);
  }

  @Test
  void mixedSampleGivesItsAnswers() throws Exception {
    List<Question> questions = new ArrayList<>();
    for (String group : List.of("VA/CCG", "RF/AnalogData")) {
      String name = group.replace('/', '_');
      List<String> records =
          Files.readAllLines(TestArchives.resource("samples/mixed/names-" + name + ".txt"));
      questions.add(
          new Question(
              "kaleida-" + name + "-001230-004000d60.txt",
              "-r",
              String.join(",", records),
              "-t",
              "20160516001230-201605160040d60",
              "-f",
              "kaleida",
              group));
      questions.add(
          new Question(
              "free-" + name + "-001230-004000.txt",
              "-r",
              String.join(",", records.subList(0, 3)),
              "-t",
              "20160516001230-201605160040",
              group));
    }
    check("mixed", questions);
  }

  private void check(String sample, List<Question> questions) throws Exception {
    CommandFixture fixture = new CommandFixture(directory);
    TestStores.sample(sample, fixture.archive());
    KblakeRun.Builder raw =
        KblakeRun.in(directory).with("KBLAKE_ARCHIVE", fixture.archive().toString());
    check(sample, questions, raw);
    Archive archive = Archive.open(fixture.archive(), ArchiveSettings.defaults());
    long middle =
        sample.equals("mixed")
            ? Duration.ofSeconds(1_463_325_900).toNanos()
            : Duration.ofSeconds(1_647_281_930).toNanos();
    TestStores.backfill(archive, fixture.store(), new TimeRange(middle, middle + 1));
    check(sample, questions, fixture.runner());
    TestStores.backfill(archive, fixture.store());
    check(sample, questions, fixture.runner());
  }

  private static void check(String sample, List<Question> questions, KblakeRun.Builder runner)
      throws IOException {
    for (Question question : questions) {
      KblakeRun run = runner.kblogrd(question.args());
      assertThat(run.err()).isEmpty();
      assertThat(run.status()).isZero();
      assertThat(run.out())
          .as(question.answer())
          .isEqualTo(
              Files.readString(
                  TestArchives.resource("samples/" + sample + "/" + question.answer())));
    }
  }
}
