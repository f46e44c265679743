package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/**
 * {@code kblake get} writes lines of a range without Arrow. They have the content that Arrow's
 * batches have.
 */
final class LinesAnswerTest {

  @TempDir private Path directory;

  /** JSON is written from Arrow vectors, and NDJSON is not. The objects are equal. */
  @Test
  void jsonAndNdjsonHaveTheSameObjects() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    for (String option : List.of("--strays", "--no-admit")) {
      String json = fixture.getAll(option, "-f", "json", "*").out();
      String lines = fixture.getAll(option, "-f", "ndjson", "*").out();
      assertThat(lines.lines()).hasSizeGreaterThan(20_000);
      assertThat("[\n" + lines.strip().replace("\n", ",\n") + "\n]\n").isEqualTo(json);
    }
  }

  @Test
  void answerGoesToTheNamedFile() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    KblakeRun toFile = fixture.getAll("-o", "all.ndjson", "*");
    assertThat(toFile.err()).isEmpty();
    assertThat(toFile.out()).isEmpty();
    assertThat(Files.readString(directory.resolve("all.ndjson")))
        .isEqualTo(fixture.getAll("-f", "ndjson", "*").out());
  }
}
