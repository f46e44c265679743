package org.kblake.test;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A version of DuckDB. The older one runs in a JVM of its own: no two fit in one process. */
enum DuckDb {
  V1_4,
  V2_0;

  /** Where Maven copies it: it cannot be on the class path beside the other one. */
  private static final Path OLD_JAR = Path.of("target", "duckdb-1.4", "duckdb_jdbc.jar");

  /**
   * Executes statements in one new database.
   *
   * @param directory for the texts that go in and come out
   * @return the rows of each, cells with tabs between them; or {@code error: } and the message
   */
  List<List<String>> run(Path directory, List<String> statements) throws Exception {
    if (this == V2_0) {
      return rows(DuckDbQueries.answer(statements));
    }
    Path in = Files.writeString(directory.resolve("statements.sql"), String.join("\0", statements));
    Path out = directory.resolve("rows.tsv");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                oldJar() + System.getProperty("path.separator") + place(DuckDbQueries.class),
                DuckDbQueries.class.getName())
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int status = process.waitFor();
    String[] answers = Files.readString(out, UTF_8).split("\0", -1);
    if (status != 0 || answers.length != statements.size() + 1) {
      throw new AssertionError(this + " ended with " + status + ": " + Arrays.asList(answers));
    }
    return rows(Arrays.asList(answers).subList(0, statements.size()));
  }

  private static List<List<String>> rows(List<String> answers) {
    return answers.stream().map(answer -> answer.lines().toList()).toList();
  }

  private static Path oldJar() throws IOException {
    if (!Files.exists(OLD_JAR)) {
      throw new IOException(
          OLD_JAR.toAbsolutePath() + " is missing: run mvn generate-test-resources");
    }
    return OLD_JAR.toAbsolutePath();
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
