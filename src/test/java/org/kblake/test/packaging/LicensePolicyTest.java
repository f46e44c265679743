package org.kblake.test.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which licenses the build refuses. */
final class LicensePolicyTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'license': {'id': 'GPL-2.0-only'}}",
        "{'license': {'id': 'GPL-3.0-or-later'}}",
        "{'license': {'id': 'LGPL-2.1-only'}}",
        "{'license': {'id': 'AGPL-3.0-only'}}",
        "{'license': {'name': 'GNU Lesser General Public License'}}",
        "{'license': {'id': 'LGPL-2.1-only'}}, {'license': {'id': 'GPL-2.0-only'}}",
        "{'expression': '(LGPL-2.1-only OR GPL-3.0-only)'}",
        // All of them apply at once.
        "{'expression': 'Apache-2.0 AND LGPL-2.1-only'}",
        "{'license': {'name': 'A license that nobody has read'}}",
        ""
      })
  void copyleftAndUnknownLicensesAreRefused(String licenses) throws IOException {
    assertThat(LicensePolicy.violations(bill(licenses)))
        .singleElement()
        .asString()
        .startsWith("pkg:maven/org.example/library@1 has the licenses ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'license': {'id': 'Apache-2.0'}}",
        "{'license': {'id': 'GPL-2.0-with-classpath-exception'}}",
        // The user chooses.
        "{'license': {'id': 'LGPL-2.1-only'}}, {'license': {'id': 'EPL-1.0'}}",
        "{'expression': '(CDDL-1.0 OR GPL-2.0-with-classpath-exception)'}"
      })
  void permittedLicensesAndChoicesArePermitted(String licenses) throws IOException {
    assertThat(LicensePolicy.violations(bill(licenses))).isEmpty();
  }

  @Test
  void eachLibraryIsExamined() throws IOException {
    JsonNode bill =
        json(
            """
            {'components': [
              {'purl': 'a', 'licenses': [{'license': {'id': 'MIT'}}]},
              {'purl': 'b', 'licenses': [{'license': {'id': 'GPL-2.0-only'}}]},
              {'purl': 'c', 'licenses': [{'license': {'id': 'LGPL-3.0-only'}}]}]}
            """);
    assertThat(LicensePolicy.violations(bill))
        .containsExactly("b has the licenses [GPL-2.0-only]", "c has the licenses [LGPL-3.0-only]");
  }

  private static JsonNode bill(String licenses) throws IOException {
    return json(
        "{'components': [{'purl': 'pkg:maven/org.example/library@1', 'licenses': [%s]}]}"
            .formatted(licenses));
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
