package org.kblake.test.structure;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Ends {@code mvn verify} with a list of the skipped tests and their reasons, from the reports of
 * all modules. With {@code CI=true} the build fails if a test was skipped, unless the variable
 * {@link #MAY_SKIP} contains its class.
 */
public final class SkippedTests {

  /**
   * The variable with the simple names of classes whose tests cannot run on this machine, separated
   * by spaces.
   */
  static final String MAY_SKIP = "TESTS_MAY_SKIP";

  static final List<String> MODULES =
      List.of(
          "core",
          "simulate",
          "ingest",
          "query",
          "format",
          "server",
          "transfer",
          "cli",
          "lake",
          "hbase",
          "record",
          "ship",
          "benchmarks",
          "src/test");
  private static final List<String> REPORTS =
      List.of("target/surefire-reports", "target/failsafe-reports");

  /**
   * A skipped test.
   *
   * @param className the simple name of its class
   */
  private record Skip(String className, String test, String reason) {

    @Override
    public String toString() {
      return className + "#" + test + ": " + reason;
    }
  }

  private SkippedTests() {}

  /**
   * Lists the skipped tests.
   *
   * @param args the root of the project, and the beginning of the build in ISO 8601; older reports
   *     belong to other builds
   */
  public static void main(String[] args) throws IOException {
    report(Path.of(args[0]), Instant.parse(args[1]), System.getenv(), System.out);
  }

  /**
   * Prints the list.
   *
   * @throws IllegalStateException if a test was skipped that must run, or no report was found
   */
  static void report(Path root, Instant since, Map<String, String> environment, PrintStream out)
      throws IOException {
    List<Skip> skipped = new ArrayList<>();
    int read = 0;
    for (String module : MODULES) {
      for (String reports : REPORTS) {
        Path directory = root.resolve(module).resolve(reports);
        if (Files.isDirectory(directory)) {
          read += addSkipped(directory, since, skipped);
        }
      }
    }
    skipped.sort(Comparator.comparing(Skip::toString));
    out.println(skipped.isEmpty() ? "No test was skipped" : "Skipped tests:");
    skipped.forEach(skip -> out.println("  " + skip));
    if ("true".equals(environment.get("CI"))) {
      if (read == 0) {
        throw new IllegalStateException("no report of a test since " + since + " below " + root);
      }
      Set<String> named =
          Set.copyOf(Arrays.asList(environment.getOrDefault(MAY_SKIP, "").split(" +")));
      List<Skip> unnamed =
          skipped.stream().filter(skip -> !named.contains(skip.className)).toList();
      if (!unnamed.isEmpty()) {
        throw new IllegalStateException("tests were skipped that must run in CI: " + unnamed);
      }
    }
  }

  /** Returns the number of reports that were read. */
  private static int addSkipped(Path directory, Instant since, List<Skip> skipped)
      throws IOException {
    int read = 0;
    try (DirectoryStream<Path> reports = Files.newDirectoryStream(directory, "TEST-*.xml")) {
      for (Path report : reports) {
        if (!Files.getLastModifiedTime(report).toInstant().isBefore(since)) {
          read++;
          NodeList tests = parse(report).getElementsByTagName("testcase");
          for (int i = 0; i < tests.getLength(); i++) {
            addIfSkipped((Element) tests.item(i), skipped);
          }
        }
      }
    }
    return read;
  }

  private static void addIfSkipped(Element test, List<Skip> skipped) {
    Element skip = (Element) test.getElementsByTagName("skipped").item(0);
    if (skip != null) {
      // The reason of an assumption is in its stack trace, that of a condition in the message.
      String reason = skip.getAttribute("message");
      String className = test.getAttribute("classname");
      skipped.add(
          new Skip(
              className.substring(className.lastIndexOf('.') + 1),
              test.getAttribute("name"),
              (reason.isEmpty() ? skip.getTextContent() : reason)
                  .strip()
                  .lines()
                  .findFirst()
                  .orElse("")));
    }
  }

  private static Element parse(Path report) throws IOException {
    try (InputStream in = Files.newInputStream(report)) {
      DocumentBuilder builder = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
      return builder.parse(in).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(report + ": not a report of tests", e);
    }
  }
}
