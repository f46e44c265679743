package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM has no parent, so it repeats versions of the root pom. They must not part. */
final class BomTest {

  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "../..");

  private final String root = Files.readString(ROOT.resolve("pom.xml"));
  private final String bom = Files.readString(ROOT.resolve("bom/pom.xml"));

  BomTest() throws IOException {}

  @Test
  void bomAndDocumentHaveTheVersionOfTheProject() throws IOException {
    String version = "(?s)<artifactId>kblake(?:-bom)?</artifactId>\\s*<version>([^<]+)</version>";

    assertThat(first(bom, version)).isEqualTo(first(root, version));
    assertThat(bom).contains("${project.version}");
    assertThat(Files.readString(ROOT.resolve("docs/java-api.md")))
        .contains("kblake-bom:" + first(root, version))
        .contains("<version>" + first(root, version) + "</version>");
  }

  @Test
  void aReleaseHasItsTagAndADate() throws IOException {
    String version = first(root, "<artifactId>kblake</artifactId>\\s*<version>([^<]+)</version>");
    String released = version.replace("-SNAPSHOT", "");
    String heading =
        Files.readString(ROOT.resolve("CHANGELOG.md"))
            .lines()
            .filter(line -> line.startsWith("## "))
            .findFirst()
            .orElseThrow();

    assertThat(heading)
        .matches(
            version.equals(released)
                ? "## \\Q" + released + "\\E \\(\\d{4}-\\d\\d-\\d\\d\\)"
                : "## \\Q" + released + "\\E \\(unreleased\\)");
    assertThat(first(root, "<tag>([^<]+)</tag>"))
        .isEqualTo(version.equals(released) ? "v" + released : "HEAD");
    assertThat(Files.readAllLines(ROOT.resolve("python/pyproject.toml")))
        .contains("version = \"" + released + "\"");
  }

  @Test
  void bomHasTheVersionsOfLibrariesAndPlugins() {
    assertThat(first(bom, "(?s)<artifactId>arrow-bom</artifactId>\\s*<version>([^<]+)</version>"))
        .isEqualTo(first(root, "<arrow.version>([^<]+)</arrow.version>"));
    String spotless = "(?s)<artifactId>spotless-maven-plugin</artifactId>\\s*<version>([^<]+)<";
    assertThat(first(bom, spotless)).isEqualTo(first(root, spotless));
  }

  private static String first(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }
}
