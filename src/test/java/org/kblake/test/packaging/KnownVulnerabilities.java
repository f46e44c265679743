package org.kblake.test.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Versions of libraries with known vulnerabilities, from the list packaging/vulnerabilities.csv. A
 * line of it has the library, its first version without the vulnerability, and the name of the
 * vulnerability. A library may have a lower version only if the line says why that is accepted. The
 * list needs no network. Whoever raises a version because of a vulnerability adds a line.
 */
final class KnownVulnerabilities {

  private record Line(String artifact, String fixed, String name, String accepted) {}

  private final List<Line> lines;

  private KnownVulnerabilities(List<Line> lines) {
    this.lines = lines;
  }

  /** Returns the list of the project. */
  static KnownVulnerabilities ofProject() throws IOException {
    try (InputStream in =
        KnownVulnerabilities.class.getResourceAsStream("/packaging/vulnerabilities.csv")) {
      return of(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /**
   * Reads a list.
   *
   * @param csv lines of an artifact, a version, a name and a reason, which may be empty, below a
   *     header; a reason is the rest of its line
   */
  static KnownVulnerabilities of(String csv) {
    return new KnownVulnerabilities(
        csv.lines()
            .skip(1)
            .map(line -> line.split(",", 4))
            .map(cells -> new Line(cells[0], cells[1], cells[2], cells[3]))
            .toList());
  }

  /**
   * Returns a line for each library of a version with a vulnerability.
   *
   * @param bill a bill of materials in CycloneDX's JSON
   */
  List<String> of(JsonNode bill) {
    List<String> found = new ArrayList<>();
    for (JsonNode component : bill.path("components")) {
      String artifact = component.path("group").asText() + ":" + component.path("name").asText();
      String version = component.path("version").asText();
      for (Line line : lines) {
        if (line.artifact.equals(artifact)
            && line.accepted.isEmpty()
            && compare(version, line.fixed) < 0) {
          found.add(
              "%s %s has %s: raise it to %s".formatted(artifact, version, line.name, line.fixed));
        }
      }
    }
    return found;
  }

  /**
   * Returns the reasons of the list that are no longer needed, because the version is high enough
   * or no bill has the library.
   */
  List<String> needlessReasons(List<JsonNode> bills) {
    TreeSet<String> needless = new TreeSet<>();
    for (Line line : lines) {
      if (line.accepted.isEmpty()) {
        continue;
      }
      KnownVulnerabilities strict =
          new KnownVulnerabilities(List.of(new Line(line.artifact, line.fixed, line.name, "")));
      if (bills.stream().allMatch(bill -> strict.of(bill).isEmpty())) {
        needless.add(line.artifact + " " + line.name);
      }
    }
    return List.copyOf(needless);
  }

  /** Compares the numbers of two versions. What follows them does not count. */
  private static int compare(String one, String other) {
    String[] ones = one.split("[.-]");
    String[] others = other.split("[.-]");
    for (int i = 0; i < Math.max(ones.length, others.length); i++) {
      int difference = Long.compare(number(ones, i), number(others, i));
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  private static long number(String[] parts, int i) {
    return i < parts.length && parts[i].matches("\\d{1,18}") ? Long.parseLong(parts[i]) : 0;
  }
}
