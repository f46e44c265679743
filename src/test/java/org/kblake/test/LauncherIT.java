package org.kblake.test;

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

/** The tarball, unpacked as on a machine that is cut off from the world. */
final class LauncherIT {

  private static final Path TARBALL = Path.of(System.getProperty("kblake.tarball", ""));

  @TempDir private static Path machine;

  private static Path install = Path.of("");
  private Shell shell = new Shell(Path.of(""));

  @BeforeAll
  static void unpack() throws IOException {
    assertThat(new Shell(machine).run("tar xzf " + Shell.quoted(TARBALL)).status()).isZero();
    try (Stream<Path> entries = Files.list(machine)) {
      List<Path> directories = entries.filter(Files::isDirectory).toList();
      assertThat(directories).hasSize(1);
      install = directories.get(0);
    }
  }

  @BeforeEach
  void settings() {
    shell =
        new Shell(machine)
            .with("JAVA_HOME", System.getProperty("java.home"))
            .with("XDG_CACHE_HOME", machine.resolve("caches"))
            .with("KBLAKE_ARCHIVE", TestArchives.sample("mixed"));
  }

  @Test
  void tarballHoldsWhatAnOfflineMachineNeedsAndNoHadoop() throws IOException {
    assertThat(Files.size(TARBALL)).isLessThan(40_000_000);
    assertThat(install.resolve("README.md")).exists();
    assertThat(install.resolve("LICENSE")).exists();
    assertThat(install.resolve("docs")).isNotEmptyDirectory();
    assertThat(install.resolve("man/man1/kblake-channels.1")).exists();
    assertThat(install.resolve("completion/kblake.bash")).exists();
    try (Stream<Path> jars = Files.list(install.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .anyMatch(jar -> jar.startsWith("kblake-cli-"))
          .noneMatch(jar -> jar.contains("hadoop") || jar.startsWith("lz4-1"));
    }
  }

  @Test
  void runsFromWhereverItIsLinkedTo() throws IOException {
    Path link = Files.createSymbolicLink(machine.resolve("linked"), install.resolve("bin/kblake"));
    Shell.Result result = shell.run(Shell.quoted(link) + " --version");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).startsWith("kblake ");
    assertThat(result.status()).isZero();
  }

  @Test
  void secondStartUsesTheClassArchiveOfTheFirst() {
    assertThat(shell.run(kblake("--version")).status()).isZero();
    assertThat(install.resolve("cache")).isNotEmptyDirectory();
    Shell.Result second = shell.run(kblake("--version"));
    assertThat(second.err()).isEmpty();
    assertThat(second.status()).isZero();
  }

  @Test
  void startsWhereNothingCanBeWritten() throws IOException {
    // A file where a directory would have to be stops even the superuser.
    Path copy = machine.resolve("sealed/kblake");
    Files.createDirectories(copy);
    shell.run("cp -r " + Shell.quoted(install) + "/{bin,lib} " + Shell.quoted(copy));
    Files.createFile(copy.resolve("cache"));
    Path file = Files.createFile(machine.resolve("no-directory"));
    Shell.Result result =
        shell
            .with("XDG_CACHE_HOME", file)
            .run(Shell.quoted(copy.resolve("bin/kblake")) + " --version");
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
  }

  @Test
  void closedPipeEndsQuietly() {
    Shell.Result result = shell.run(kblake("channels") + " | true; exit ${PIPESTATUS[0]}");
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
  }

  @Test
  void fullDiskIsAnErrorInOneLine() {
    Shell.Result result = shell.run(kblake("channels") + " >/dev/full");
    assertThat(result.err()).startsWith("kblake").hasLineCount(1);
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void missingArchiveIsAnErrorInOneLine() {
    Shell.Result result = shell.run(kblake("channels --archive /nowhere"));
    assertThat(result.err()).startsWith("kblake channels: ").contains("/nowhere").hasLineCount(1);
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void oldJavaIsNamedTogetherWithWhatIsNeeded() throws IOException {
    Path old = Files.createDirectories(machine.resolve("jdk-11/bin"));
    Files.createFile(old.resolve("java"));
    Files.writeString(machine.resolve("jdk-11/release"), "JAVA_VERSION=\"11.0.2\"\n");
    shell.run("chmod +x jdk-11/bin/java");
    Shell.Result result =
        shell.with("JAVA_HOME", machine.resolve("jdk-11")).run(kblake("--version"));
    assertThat(result.err()).startsWith("kblake: Java 17 or newer is needed, found 11.0.2");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void optionsForTheJvmComeThrough() {
    Shell.Result result =
        shell
            .with("KBLAKE_JAVA_OPTS", "-Xmx64m -Dx=y -XX:+PrintFlagsFinal")
            .run(kblake("--version"));
    assertThat(result.out()).containsPattern("MaxHeapSize += 67108864");
  }

  private static String kblake(String arguments) {
    return Shell.quoted(install.resolve("bin/kblake")) + " " + arguments;
  }
}
