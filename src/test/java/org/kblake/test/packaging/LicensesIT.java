package org.kblake.test.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.UnpackedTarball;

/** The libraries of the tarballs, their licenses and notices. */
final class LicensesIT {

  private static final Path CLONE = Path.of("../..");

  @TempDir private static Path machine;

  private static Path install = Path.of("");

  /** The program, and its extensions in the same directory. */
  @BeforeAll
  static void unpack() throws IOException {
    install = UnpackedTarball.in(machine).install();
    for (String extension :
        List.of(
            "kblake.lake.tarball",
            "kblake.hbase.tarball",
            "kblake.record.tarball",
            "kblake.ship.tarball")) {
      Path tarball = Path.of(System.getProperty(extension, ""));
      Shell.Result unpacked = new Shell(machine).run("tar xzf " + Shell.quoted(tarball));
      assertThat(unpacked.status()).as(unpacked.err()).isZero();
    }
  }

  /** The directory of a tarball's jars, and the places of its bill of materials and its NOTICE. */
  @ParameterizedTest
  @CsvSource({
    "lib, kblake.cdx.json, kblake-cli-",
    "extensions/lake, extensions/lake/kblake-lake.cdx.json, kblake-lake-",
    "extensions/hbase, extensions/hbase/kblake-hbase.cdx.json, kblake-hbase-",
    "extensions/record, extensions/record/kblake-record.cdx.json, kblake-record-",
    "extensions/ship, extensions/ship/kblake-ship.cdx.json, kblake-ship-"
  })
  void billAndNoticeHaveEachJar(String directory, String bill, String own) throws Exception {
    List<Path> jars = jars(install.resolve(directory));
    requireBill(install.resolve(bill), jars, own);
    requireNotice(install.resolve(bill).resolveSibling("NOTICE"), jars);
  }

  @Test
  void eachModuleWithABillOfMaterialsShipsPermittedLicensesOnly() throws IOException {
    List<Path> bills;
    try (Stream<Path> modules = Files.list(CLONE)) {
      bills =
          modules.map(module -> module.resolve("target/bom.json")).filter(Files::exists).toList();
    }
    for (String module : List.of("cli", "lake", "hbase", "record", "ship")) {
      assertThat(bills).contains(CLONE.resolve(module).resolve("target/bom.json"));
    }
    for (Path bill : bills) {
      assertThat(LicensePolicy.violations(json(bill))).as(bill.toString()).isEmpty();
    }
  }

  @Test
  void noModuleWithABillOfMaterialsShipsAKnownVulnerability() throws IOException {
    KnownVulnerabilities known = KnownVulnerabilities.ofProject();
    List<JsonNode> bills = new ArrayList<>();
    for (String module : List.of("cli", "lake", "hbase", "record", "ship")) {
      JsonNode bill = json(CLONE.resolve(module).resolve("target/bom.json"));
      assertThat(known.of(bill)).as(module).isEmpty();
      bills.add(bill);
    }
    assertThat(known.needlessReasons(bills)).as("remove these lines of the list").isEmpty();
  }

  private static void requireBill(Path bill, List<Path> jars, String own) throws Exception {
    List<String> billed = new ArrayList<>();
    for (JsonNode component : json(bill).path("components")) {
      String name = component.path("name").asText() + "-" + component.path("version").asText();
      for (JsonNode hash : component.path("hashes")) {
        if (hash.path("alg").asText().equals("SHA-256")) {
          billed.add(name + ".jar " + hash.path("content").asText());
        }
      }
    }
    List<String> shipped = new ArrayList<>();
    for (Path jar : jars) {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
      shipped.add(jar.getFileName() + " " + HexFormat.of().formatHex(hash));
    }
    // It is what the bill of materials is about, and stands apart, without a hash.
    assertThat(shipped.removeIf(jar -> jar.startsWith(own))).isTrue();
    assertThat(billed).containsExactlyInAnyOrderElementsOf(shipped);
  }

  /** The module picocli has no code but that of this library, whose vulnerabilities are its own. */
  @Test
  void billOfMaterialsNamesPicocli() throws IOException {
    assertThat(json(install.resolve("kblake.cdx.json")).toString())
        .contains("pkg:maven/info.picocli/picocli@");
  }

  private static void requireNotice(Path file, List<Path> jars) throws IOException {
    String notice = Files.readString(file);
    for (Path jar : jars) {
      String name = jar.getFileName().toString();
      if (!name.startsWith("kblake-")) {
        String library = name.replaceFirst("-(\\d.*)\\.jar$", " $1: ");
        assertThat(notice).contains(library);
      }
      try (JarFile opened = new JarFile(jar.toFile())) {
        for (JarEntry entry : opened.stream().toList()) {
          if (entry.getName().matches("META-INF/NOTICE[^/]*")) {
            try (InputStream in = opened.getInputStream(entry)) {
              assertThat(notice)
                  .contains(
                      new String(in.readAllBytes(), StandardCharsets.UTF_8)
                          .replace("\r", "")
                          .strip());
            }
          }
        }
      }
    }
  }

  private static List<Path> jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
  }

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }
}
