package org.kblake.test.kblogrd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestArchives;
import org.kblake.test.fixture.UnpackedTarball;

/** bin/kblogrd of the tarball, started as panels and scripts start it. */
final class KblogrdLauncherIT {

  @TempDir private static Path machine;

  private static UnpackedTarball tarball = new UnpackedTarball(Path.of(""), Path.of(""));
  private Shell shell = new Shell(Path.of(""));

  @BeforeAll
  static void unpack() throws IOException {
    tarball = UnpackedTarball.in(machine);
  }

  @BeforeEach
  void settings() {
    shell = tarball.shell("tiny-le");
  }

  @Test
  void firstAndLaterStartsGiveTheSameAnswer() throws IOException {
    String expected = Files.readString(TestArchives.resource("samples/tiny-le/free-all.txt"));
    for (String program : List.of("kblogrd", "kblogrdc", "kblogrd")) {
      Shell.Result result = shell.run(command(program) + " BM/DCCT");
      assertThat(result.err()).isEmpty();
      assertThat(result.out()).isEqualTo(expected);
      assertThat(result.status()).isZero();
    }
    try (Stream<Path> files = Files.walk(tarball.install().resolve("cache"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .anyMatch(name -> name.startsWith("kblogrd-"))
          .noneMatch(name -> name.endsWith(".lock"));
    }
  }

  @Test
  void runsThroughSymbolicLinks() throws IOException {
    Path link =
        Files.createSymbolicLink(
            machine.resolve("linked"), tarball.install().resolve("bin/kblogrd"));
    Shell.Result result = shell.run(Shell.quoted(link) + " --version");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).startsWith("kblogrd ");
  }

  @Test
  void startsIfNothingCanBeWritten() throws IOException {
    String sealed = tarball.withoutCaches(shell).command("kblogrd");
    Shell.Result result = shell.run(sealed + " BM/DCCT");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).hasLineCount(15);
    assertThat(result.status()).isZero();
  }

  /**
   * The class path of kblogrd has neither the jars that only kblake needs nor a parser of settings.
   */
  @Test
  void settingsFilesAreReadWithoutTheParser() throws IOException {
    Path directory = Files.createDirectory(machine.resolve("configured"));
    Files.writeString(
        directory.resolve("kblake.toml"),
        "archive = \"" + TestArchives.sample("tiny-be") + "\"\nlook-back = \"1s\"\n");
    Shell configured = new Shell(directory).with("JAVA_HOME", System.getProperty("java.home"));
    Shell.Result result = configured.run(command("kblogrd") + " -t 20220315031851 BM/DCCT");
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(configured.run(command("kblogrd") + " BM/DCCT").out()).hasLineCount(15);
  }

  @Test
  void startsWithoutAClassArchive() {
    Shell.Result result =
        shell
            .with("KBLAKE_JAVA_OPTS", "-Xshare:off")
            .run(command("kblogrd") + " -f kaleida -t 20220315-d600 -r .- BM/DCCT");
    assertThat(result.status()).isZero();
    assertThat(result.out()).startsWith("time\t");
  }

  /** Searching for a site's layout opens every jar, which takes longer than many answers. */
  @Test
  void searchesALayoutOnlyIfAJarWasAdded() throws IOException {
    Shell telling = shell.with("KBLAKE_JAVA_OPTS", "-XshowSettings:properties");
    String properties = telling.run(command("kblogrd") + " --version").err();
    assertThat(properties).contains("kblake.layouts = reference", "kblake-core-");
    Path site = tarball.install().resolve("lib/site-layout.jar");
    Files.copy(TestArchives.resource("samples/tiny-le/free-all.txt"), site);
    try {
      assertThat(telling.run(command("kblogrd") + " --version").err())
          .contains("site-layout.jar")
          .doesNotContain("kblake.layouts");
    } finally {
      Files.delete(site);
    }
  }

  @Test
  void closedPipeEndsQuietly() {
    Shell.Result result = shell.run(command("kblogrd") + " BM/DCCT | true; exit ${PIPESTATUS[0]}");
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
  }

  @Test
  void fullDiskIsAnErrorInOneLine() {
    Shell.Result result = shell.run(command("kblogrd") + " BM/DCCT >/dev/full");
    assertThat(result.err()).startsWith("kblogrd: ").hasLineCount(1);
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void oldJavaIsReportedWithTheRequiredVersion() throws IOException {
    Shell.Result result =
        shell.with("JAVA_HOME", tarball.oldJava()).run(command("kblogrd") + " BM/DCCT");
    assertThat(result.err()).startsWith("kblogrd: Java 17 or newer is needed, found 11.0.2");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void javaThatDoesNotStartIsNamed() throws IOException {
    Path home = tarball.brokenJava();
    Shell.Result result = shell.with("JAVA_HOME", home).run(command("kblogrd") + " BM/DCCT");
    assertThat(result.err())
        .startsWith("kblogrd: Java does not start: " + home + "/bin/java -version: cannot load")
        .endsWith("; set JAVA_HOME to a JDK 17 or newer\n")
        .hasLineCount(1);
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void archiveBeyondAsciiIsFoundInTheLocaleC() {
    String named = "$'\\xe3\\x83\\x87'";
    String sample = Shell.quoted(TestArchives.sample("tiny-le"));
    assertThat(shell.run("cp -r " + sample + " " + named).status()).isZero();
    for (String locale : List.of("LC_ALL=C", "LANG=C")) {
      String settings = "env -u LC_ALL -u LC_CTYPE -u LANG KBLAKE_ARCHIVE=" + named + " " + locale;
      Shell.Result result = shell.run(settings + " " + command("kblogrd") + " BM/DCCT");
      assertThat(result.err()).isEmpty();
      assertThat(result.out()).hasLineCount(15);
    }
  }

  private static String command(String program) {
    return tarball.command(program);
  }
}
