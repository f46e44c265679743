package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the list of skipped tests with reports as surefire and failsafe write them. */
final class SkippedTestsTest {

  private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");
  private static final String SKIPPED =
      """
      Skipped tests:
        DiskTest#fills: org.opentest4j.TestAbortedException: Assumption failed: needs <mounts>
        WatchIT#watches(int)[2]: Disabled on operating system: Linux
      """;

  @TempDir private Path root;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void writeReports() throws IOException {
    write(
        "core/target/surefire-reports/TEST-a.DiskTest.xml",
        """
        <testcase name="fills" classname="a.DiskTest" time="0.0">
          <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: needs <mounts>
        	at a.DiskTest.fills(DiskTest.java:17)
        ]]></skipped>
        </testcase>
        <testcase name="empties" classname="a.DiskTest" time="0.1"/>
        """);
    write(
        "src/test/target/failsafe-reports/TEST-b.WatchIT.xml",
        """
        <testcase name="watches(int)[2]" classname="b.WatchIT" time="0.0">
          <skipped message="Disabled on operating system: Linux"/>
        </testcase>
        """);
  }

  private Path write(String file, String tests) throws IOException {
    Path report = root.resolve(file);
    Files.createDirectories(report.getParent());
    Files.writeString(report, "<testsuite>\n" + tests + "</testsuite>\n");
    Files.setLastModifiedTime(report, FileTime.from(BEGIN));
    return report;
  }

  private void report(Map<String, String> environment) throws IOException {
    SkippedTests.report(
        root, BEGIN, environment, new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void skippedTestsAreNamedWithReasons() throws IOException {
    report(Map.of());
    assertThat(printed()).isEqualTo(SKIPPED);
  }

  @Test
  void skippedTestFailsInCi() {
    assertThatThrownBy(() -> report(Map.of("CI", "true", SkippedTests.MAY_SKIP, "WatchIT Other")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("must run in CI: [DiskTest#fills")
        .hasMessageNotContaining("WatchIT");
    assertThat(printed()).isEqualTo(SKIPPED);
  }

  @Test
  void testsThatAreNamedMayBeSkippedInCi() throws IOException {
    report(Map.of("CI", "true", SkippedTests.MAY_SKIP, "WatchIT DiskTest"));
    assertThat(printed()).isEqualTo(SKIPPED);
  }

  @Test
  void theReportsOfEveryModuleWithTestsAreRead() throws IOException {
    Path project = Path.of("..", "..");
    List<String> modules =
        Pattern.compile("<module>(.*)</module>")
            .matcher(Files.readString(project.resolve("pom.xml")))
            .results()
            .map(module -> module.group(1))
            .filter(
                module ->
                    module.equals("src/test")
                        || Files.isDirectory(project.resolve(module).resolve("src/test/java")))
            .distinct()
            .toList();
    assertThat(SkippedTests.MODULES).containsExactlyInAnyOrderElementsOf(modules);
  }

  /** Such reports exist if an earlier build ran other tests. */
  @Test
  void reportsOfAnEarlierBuildDoNotCount() throws IOException {
    Path old = root.resolve("core/target/surefire-reports/TEST-a.DiskTest.xml");
    Files.setLastModifiedTime(old, FileTime.from(BEGIN.minusSeconds(1)));
    Path last = write("src/test/target/failsafe-reports/TEST-b.WatchIT.xml", "");
    report(Map.of("CI", "true"));
    assertThat(printed()).isEqualTo("No test was skipped\n");
    Files.delete(last);
    assertThatThrownBy(() -> report(Map.of("CI", "true")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("no report of a test since 2026-01-02T03:04:05Z");
  }
}
