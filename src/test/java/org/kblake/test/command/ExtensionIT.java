package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.UnpackedTarball;

/** Tarballs of extensions, unpacked beside the main one. */
final class ExtensionIT {

  private static final Path LAKE = Path.of(System.getProperty("kblake.lake.tarball", ""));
  private static final Path HBASE = Path.of(System.getProperty("kblake.hbase.tarball", ""));
  private static final Path SHIP = Path.of(System.getProperty("kblake.ship.tarball", ""));
  private static final Path RECORD = Path.of(System.getProperty("kblake.record.tarball", ""));

  @TempDir private static Path machine;

  private static UnpackedTarball tarball = new UnpackedTarball(Path.of(""), Path.of(""));
  private Shell shell = new Shell(Path.of(""));

  /** Once, because the first start takes seconds. */
  @BeforeAll
  static void unpack() throws IOException {
    tarball = UnpackedTarball.in(machine);
  }

  @BeforeEach
  void settings() {
    shell = tarball.shell("mixed");
  }

  @AfterEach
  void removeExtensions() {
    shell.run("rm -rf " + Shell.quoted(tarball.install().resolve("extensions")));
  }

  @Test
  void aMissingTarballIsNamedWithItsPlace() {
    Shell.Result lake = shell.run(kblake("-q lake publish tables"));
    assertThat(lake.status()).isEqualTo(1);
    assertThat(lake.err())
        .startsWith("kblake lake: not installed: no jars in " + tarball.install() + "/extensions/")
        .contains("; unpack kblake-lake-")
        .hasLineCount(1);
    for (String word : List.of("export", "import")) {
      assertThat(shell.run(kblake(word + " hbase")).err())
          .contains(tarball.install() + "/extensions/hbase;", "; unpack kblake-hbase-");
    }
    assertThat(shell.with("KBLAKE_EXTENSIONS", machine.resolve("other")).run(kblake("lake")).err())
        .contains(machine + "/other/lake;");
  }

  @Test
  void theTarballBesideTheMainOneIsFound() throws IOException {
    unpackLake(machine);
    assertWorks();
    Set<String> own = jars(tarball.install().resolve("extensions/lake"));
    assertThat(own).anyMatch(jar -> jar.startsWith("iceberg-core-"));
    own.retainAll(jars(tarball.install().resolve("lib")));
    assertThat(own).as("artifacts in both tarballs").isEmpty();
  }

  @Test
  void theTarballOfHBaseHasItsCommands() throws IOException {
    String unpack = "tar xzf " + Shell.quoted(HBASE) + " -C " + Shell.quoted(machine);
    assertThat(shell.run(unpack).status()).isZero();
    for (String word : List.of("export", "import")) {
      Shell.Result help = shell.run(kblake(word + " hbase --help"));
      assertThat(help.err()).isEmpty();
      assertThat(help.out()).contains("Usage: kblake " + word + " hbase");
    }
    Set<String> own = jars(tarball.install().resolve("extensions/hbase"));
    assertThat(own).anyMatch(jar -> jar.startsWith("hbase-server-"));
    own.retainAll(jars(tarball.install().resolve("lib")));
    assertThat(own).as("artifacts in both tarballs").isEmpty();
    assertWritesFiles();
  }

  @Test
  void theTarballThatShipsHasItsCommands() throws IOException {
    assertThat(shell.run(kblake("ship csv --state x")).err()).contains("; unpack kblake-ship-");
    String unpack = "tar xzf " + Shell.quoted(SHIP) + " -C " + Shell.quoted(machine);
    assertThat(shell.run(unpack).status()).isZero();
    assertThat(shell.run(kblake("ship influxdb --help")).out())
        .contains("Usage: kblake ship influxdb");
    String state = " --state " + Shell.quoted(machine.resolve("shipped"));
    String logs = Shell.quoted(machine.resolve("few"));
    assertThat(shell.run(kblake("simulate -q --days 0.01 --scale 0.2 " + logs)).status()).isZero();
    state += " --archive " + logs;
    Shell.Result first = shell.run(kblake("ship csv" + state));
    assertThat(first.status()).as(first.err()).isZero();
    assertThat(first.out()).startsWith("time,channel,group,");
    assertThat(shell.run(kblake("ship csv" + state)).out()).isEmpty();
    Set<String> own = jars(tarball.install().resolve("extensions/ship"));
    assertThat(own).anyMatch(jar -> jar.startsWith("kblake-ship"));
    own.retainAll(jars(tarball.install().resolve("lib")));
    assertThat(own).as("artifacts in both tarballs").isEmpty();
  }

  /** No word follows the one of this extension. */
  @Test
  void theTarballOfTheRecorderHasTheCommandOfItsWord() throws IOException {
    assertThat(shell.run(kblake("record VA/CCG")).err()).contains("; unpack kblake-record-");
    assertThat(shell.run(kblake("import aa x")).err()).contains("; unpack kblake-record-");
    assertThat(shell.run(kblake("demo --live")).err()).contains("; unpack kblake-record-");
    String unpack = "tar xzf " + Shell.quoted(RECORD) + " -C " + Shell.quoted(machine);
    assertThat(shell.run(unpack).status()).isZero();
    assertThat(shell.run(kblake("import aa --help")).out()).contains("Usage: kblake import aa");
    String notes = Shell.quoted(machine.resolve("demo.txt"));
    String demo = kblake("demo --live") + " 2>" + notes + " & ";
    String shown =
        "for i in $(seq 120); do grep -s http: " + notes + " && break; sleep 0.5; done; ";
    assertThat(shell.run(demo + shown + "kill $!; wait").out()).contains("http://127.0.0.1:");
    Shell.Result none = shell.run(kblake("record --check --archive " + Shell.quoted(machine)));
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).startsWith("kblake record: no group; name one, ").hasLineCount(1);
    Set<String> own = jars(tarball.install().resolve("extensions/record"));
    assertThat(own).anyMatch(jar -> jar.startsWith("kblake-record"));
    own.retainAll(jars(tarball.install().resolve("lib")));
    assertThat(own).as("artifacts in both tarballs").isEmpty();
  }

  /** As {@code mvn package} leaves it, without the sources. */
  @Test
  void aCloneHasTheRecorder() {
    String release = tarball.install().getFileName().toString();
    String version = release.replaceFirst("^kblake-", "");
    String modules = "core simulate ingest query format server transfer picocli cli";
    Shell.Result made =
        shell.run(
            String.join(
                " && ",
                "cd " + Shell.quoted(machine),
                "mkdir -p clone/record/target/kblake-record-" + version + " && cd clone",
                "for m in " + modules + "; do mkdir -p $m/src/main && touch $m/pom.xml; done",
                "cp " + Shell.quoted(Path.of("../../pom.xml").toAbsolutePath()) + " pom.xml",
                "cp -rP " + Shell.quoted(tarball.install().resolve("bin")) + " bin",
                "tar xzf " + Shell.quoted(RECORD) + " -C record/target/kblake-record-" + version,
                "mkdir -p cli/target/" + release,
                "ln -s " + Shell.quoted(tarball.install()) + " cli/target/" + release + "/",
                "touch cli/target/" + release + ".tar.gz"));
    assertThat(made.status()).as(made.err()).isZero();
    Shell.Result none =
        shell.run(
            "cd " + Shell.quoted(machine) + " && clone/bin/kblake record --check --archive .");
    assertThat(none.err()).startsWith("kblake record: no group; name one, ").hasLineCount(1);
    assertThat(none.status()).isEqualTo(1);
  }

  /** The libraries of the two tarballs work together. */
  private void assertWritesFiles() {
    String range = " --from 2024-05-20T00:00 --to 2024-05-20T01:00";
    for (String line :
        List.of(
            "simulate --days 0.05 --scale 0.2 logs",
            "export hbase t --archive logs --files hfiles --compression snappy" + range,
            "import hbase t restored --files hfiles",
            "get --archive logs '*' -f csv -o one.csv" + range,
            "get --archive restored '*' -f csv -o other.csv" + range)) {
      Shell.Result run = shell.run("cd " + Shell.quoted(machine) + " && " + kblake(line));
      assertThat(run.status()).as("%s: %s", line, run.err()).isZero();
      assertThat(run.err()).doesNotContain("WARN");
    }
    assertThat(machine.resolve("one.csv")).isNotEmptyFile();
    assertThat(machine.resolve("other.csv")).hasSameBinaryContentAs(machine.resolve("one.csv"));
  }

  @Test
  void theTarballMayBeInAnotherPlace() throws IOException {
    Path other = Files.createDirectory(machine.resolve("another place"));
    unpackLake(other);
    shell =
        shell.with(
            "KBLAKE_EXTENSIONS", other + "/" + tarball.install().getFileName() + "/extensions");
    assertWorks();
  }

  /** The class archive of the main program serves, and stays as it is. */
  @Test
  void anExtensionUsesTheClassArchiveOfTheMainProgram() throws IOException {
    unpackLake(machine);
    assertThat(shell.run(kblake("--version")).status()).isZero();
    Set<String> before = classArchives();
    Path log = machine.resolve("classes.log");
    shell
        .with("KBLAKE_JAVA_OPTS", "-Xlog:class+load:file=" + log)
        .run(kblake("lake publish --help"));
    List<String> classes = Files.readAllLines(log);
    assertThat(classes.stream().filter(line -> line.contains("source: file:")))
        .isNotEmpty()
        .hasSizeLessThan(30);
    assertThat(classes.stream().filter(line -> line.contains("org.kblake.cli.RootCommand ")))
        .hasSize(1)
        .allMatch(line -> line.contains("shared objects file"));
    assertThat(classArchives()).isEqualTo(before);
  }

  private void assertWorks() {
    Shell.Result help = shell.run(kblake("lake --help"));
    assertThat(help.err()).isEmpty();
    assertThat(help.status()).isZero();
    assertThat(help.out()).contains("\n  publish ");
    assertThat(shell.run(kblake("help lake publish")).out()).contains("Usage: kblake lake publish");
    Shell.Result alone = shell.run(kblake("lake"));
    assertThat(alone.status()).isEqualTo(2);
    assertThat(alone.err()).startsWith("kblake lake: a command is missing: publish");
  }

  /** Returns the class archives with their sizes and the times at which they were made. */
  private Set<String> classArchives() {
    String list =
        "find "
            + Shell.quoted(tarball.install().resolve("cache"))
            + " -type f -printf '%p %s %T@\\n'";
    return new TreeSet<>(shell.run(list).out().lines().toList());
  }

  /** Returns the names of the artifacts in a directory, without their versions. */
  private static Set<String> jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("-\\d.*", "-"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private void unpackLake(Path directory) {
    String unpack = "tar xzf " + Shell.quoted(LAKE) + " -C " + Shell.quoted(directory);
    assertThat(shell.run(unpack).status()).isZero();
  }

  private static String kblake(String arguments) {
    return tarball.command("kblake") + " " + arguments;
  }
}
