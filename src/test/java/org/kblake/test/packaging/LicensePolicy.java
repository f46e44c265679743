package org.kblake.test.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The licenses of libraries that kblake may ship. A library with several licenses may be used under
 * any one of them, so one permitted license is enough. A license that is not listed is refused
 * until somebody has read it: GPL and LGPL are not listed, and may not be.
 */
final class LicensePolicy {

  private static final Set<String> PERMITTED =
      Set.of(
          "Apache-2.0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          // The name that the plug-in gives to "The BSD License" of JLine, which has three clauses.
          "BSD-4-Clause",
          "CC0-1.0",
          "CDDL-1.0",
          "CDDL-1.1",
          "EPL-1.0",
          "EPL-2.0",
          "GPL-2.0-with-classpath-exception",
          "Go License",
          "MIT",
          "MPL-2.0",
          "Public Domain");

  private static final Pattern OR = Pattern.compile("\\s+OR\\s+");

  private LicensePolicy() {}

  /**
   * Returns a line for each library that may not be shipped.
   *
   * @param bill a bill of materials in CycloneDX's JSON
   */
  static List<String> violations(JsonNode bill) {
    List<String> violations = new ArrayList<>();
    for (JsonNode component : bill.path("components")) {
      List<String> licenses = licenses(component);
      if (licenses.stream().noneMatch(PERMITTED::contains)) {
        violations.add(component.path("purl").asText() + " has the licenses " + licenses);
      }
    }
    return violations;
  }

  private static List<String> licenses(JsonNode component) {
    List<String> licenses = new ArrayList<>();
    for (JsonNode choice : component.path("licenses")) {
      if (choice.has("expression")) {
        String expression = choice.path("expression").asText().replaceAll("^\\(|\\)$", "");
        licenses.addAll(OR.splitAsStream(expression).toList());
      } else {
        JsonNode license = choice.path("license");
        licenses.add(license.path(license.has("id") ? "id" : "name").asText());
      }
    }
    return licenses;
  }
}
