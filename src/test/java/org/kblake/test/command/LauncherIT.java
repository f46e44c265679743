package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestArchives;
import org.kblake.test.fixture.UnpackedTarball;

/** bin/kblake of the tarball, and the other contents of the tarball. */
final class LauncherIT {

  @TempDir private static Path machine;

  private static UnpackedTarball tarball = new UnpackedTarball(Path.of(""), Path.of(""));
  private Shell shell = new Shell(Path.of(""));

  @BeforeAll
  static void unpack() throws IOException {
    tarball = UnpackedTarball.in(machine);
  }

  @BeforeEach
  void settings() {
    shell = tarball.shell("mixed");
  }

  @Test
  void tarballHasAllFilesForAnOfflineMachineAndNoHadoop() throws IOException {
    assertThat(UnpackedTarball.bytes()).isLessThan(40_000_000);
    assertThat(tarball.install().resolve("README.md")).exists();
    assertThat(tarball.install().resolve("README.ja.md")).exists();
    assertThat(tarball.install().resolve("LICENSE")).exists();
    assertThat(tarball.install().resolve("docs")).isNotEmptyDirectory();
    assertThat(tarball.install().resolve("man/man1/kblake-channels.1")).exists();
    assertThat(tarball.install().resolve("completion/kblake.bash")).exists();
    try (Stream<Path> jars = Files.list(tarball.install().resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .anyMatch(jar -> jar.startsWith("kblake-cli-"))
          .noneMatch(jar -> jar.contains("hadoop") || jar.startsWith("lz4-1"));
    }
  }

  @Test
  void runsThroughSymbolicLinks() throws IOException {
    Path link =
        Files.createSymbolicLink(
            machine.resolve("linked"), tarball.install().resolve("bin/kblake"));
    Shell.Result result = shell.run(Shell.quoted(link) + " --version");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).startsWith("kblake ");
    assertThat(result.status()).isZero();
  }

  @Test
  void secondStartUsesTheClassArchiveOfTheFirst() {
    assertThat(shell.run(kblake("--version")).status()).isZero();
    assertThat(tarball.install().resolve("cache")).isNotEmptyDirectory();
    Shell.Result second = shell.run(kblake("--version"));
    assertThat(second.err()).isEmpty();
    assertThat(second.status()).isZero();
  }

  /** The first start makes the class archive. The answer contains no output of this work. */
  @Test
  void firstAndLaterStartsOfGetGiveTheSameAnswer() throws IOException {
    String get = kblake("get -q --from 20160515 --to 20160518 -g VA/CCG '*'");
    Shell.Result first = shell.run(get);
    assertThat(first.err()).isEmpty();
    assertThat(first.out()).startsWith("time,channel,state,severity,status,value\n2016-05-1");
    assertThat(shell.run(get)).isEqualTo(first);
    assertThat(classArchives(tarball.install().resolve("cache")))
        .filteredOn(archive -> archive.getFileName().toString().startsWith("kblake-"))
        .hasSize(1);
  }

  /** Returns the files in a directory of class archives. */
  private static List<Path> classArchives(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> Files.isRegularFile(file) && !file.toString().endsWith(".jars"))
          .toList();
    }
  }

  /**
   * The JVM uses a class archive only for jars that are the same and at the same path. That of
   * kblogrd is made in a fifth of the time.
   */
  @Test
  void aCopyAndANewerJarGetANewClassArchive() throws IOException {
    assertThat(shell.run(tarball.command("kblogrd") + " --version").status()).isZero();
    Path copy = machine.resolve("copied");
    shell.run("cp -r " + Shell.quoted(tarball.install()) + " " + Shell.quoted(copy));
    UnpackedTarball copied = new UnpackedTarball(machine, copy);
    String version = copied.command("kblogrd") + " --version";
    assertThat(shell.run(version).err()).isEmpty();
    Path archive = classArchives(copy.resolve("cache" + copy)).get(0);
    FileTime made = Files.getLastModifiedTime(archive);
    Files.setLastModifiedTime(copied.jar("kblake-cli-"), FileTime.fromMillis(made.toMillis() + 1));
    assertThat(shell.run(version).err()).isEmpty();
    assertThat(classArchives(copy.resolve("cache" + copy))).containsExactly(archive);
    FileTime again = Files.getLastModifiedTime(archive);
    assertThat(again).isGreaterThan(made);
    Path jar = copied.jar("kblake-cli-");
    Files.write(jar, new byte[1], StandardOpenOption.APPEND);
    // As the jars of another build of the same version.
    Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
    assertThat(shell.run(version).err()).isEmpty();
    assertThat(Files.getLastModifiedTime(archive)).isGreaterThan(again);
    // As an attempt on a full disk leaves them. Another attempt at each start would take seconds.
    Files.write(Path.of(archive + ".jars"), new byte[0]);
    Files.delete(archive);
    Files.createFile(archive);
    assertThat(shell.run(version).err()).isEmpty();
    assertThat(archive).isEmptyFile();
  }

  /** A terminal in one locale and a cron job in another would make it in turns. */
  @Test
  void aClassArchiveIsForEachLocale() throws IOException {
    assertThat(shell.run(kblake("--version")).status()).isZero();
    Path archive =
        classArchives(tarball.install().resolve("cache")).stream()
            .filter(file -> file.getFileName().toString().startsWith("kblake-"))
            .findFirst()
            .orElseThrow();
    FileTime made = Files.getLastModifiedTime(archive);
    Path programs = Files.createDirectories(machine.resolve("localized"));
    Path wc = programs.resolve("wc");
    // As in Japanese: the line of the total has another word.
    Files.writeString(
        wc,
        "#!/bin/sh\n[ \"$LC_ALL\" = C ] && exec /usr/bin/wc \"$@\"\n/usr/bin/wc \"$@\" | sed s/total/sum/\n");
    assertThat(wc.toFile().setExecutable(true)).isTrue();
    String path = "PATH=" + Shell.quoted(programs) + ":$PATH ";
    for (String locale : List.of("LC_ALL=ja_JP.UTF-8", "LC_ALL=C.UTF-8", "LC_ALL=C")) {
      assertThat(shell.run(path + locale + " " + kblake("--version")).status()).isZero();
    }
    assertThat(Files.getLastModifiedTime(archive)).isEqualTo(made);
  }

  /** A class that is loaded from a jar takes milliseconds, and opening the jar takes ten. */
  @Test
  void theClassArchiveHasTheClassesOfAllCommands() throws IOException {
    String store = " --store " + machine.resolve("store");
    String day = " --from 20160516 --to 20160517 VA_CCG:*";
    assertThat(shell.run(kblake("backfill -q" + store)).status()).isZero();
    Path settings = machine.resolve("settings.toml");
    Files.writeString(settings, "store = \"" + machine.resolve("store") + "\"\n");
    Files.writeString(
        machine.resolve("store/kblake-run.json"),
        """
        {"version": 1, "kblake": "", "state": "stopped", "host": "", "since": "2022-03-01T00:00:00Z",
         "written": "2022-03-01T01:00:00Z", "groups": [], "problems": [], "counters": {},
         "rates": {}, "disk": {}}
        """);
    for (String command :
        List.of(
            "--version",
            "get -q" + day,
            "get -q" + day + store,
            "--config " + settings + " get -q" + day,
            "get -q -f json" + day + store,
            "get -q -f arrow" + day + store,
            "get -q --wide --every 1h" + day + store,
            "get -q --at 20160516 VA_CCG:*" + store,
            "channels" + store,
            "status" + store,
            "status -f json" + store,
            "check" + store)) {
      Path log = machine.resolve("classes.log");
      shell
          .with("KBLAKE_JAVA_OPTS", "-Xlog:class+load:file=" + log)
          .run(kblake(command) + " >/dev/null");
      List<String> classes = Files.readAllLines(log);
      assertThat(classes).as(command).hasSizeGreaterThan(500);
      assertThat(classes.stream().filter(line -> line.contains("source: file:")))
          .as(command)
          .isEmpty();
    }
  }

  @Test
  void theClassArchiveHasTheClassesOfTheServer() throws IOException {
    Path log = machine.resolve("classes.log");
    Shell.Result result =
        shell
            .with("KBLAKE_JAVA_OPTS", "-Xlog:class+load:file=" + log)
            .run(
                "exec 3< <(exec "
                    + kblake("serve --listen 127.0.0.1:0 2>&1")
                    + "); server=$!; read -r note <&3; note=${note##*:}; port=${note%%/*}"
                    + "; exec 4<>/dev/tcp/127.0.0.1/$port"
                    + "; printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&4"
                    + "; cat <&4; kill $server; wait $server");
    assertThat(result.out()).startsWith("HTTP/1.1 200");
    List<String> classes = Files.readAllLines(log);
    assertThat(classes).hasSizeGreaterThan(2_000);
    assertThat(classes.stream().filter(line -> line.contains("source: file:"))).isEmpty();
  }

  @Test
  void startsIfNothingCanBeWritten() throws IOException {
    String sealed = tarball.withoutCaches(shell).command("kblake");
    Shell.Result result = shell.run(sealed + " --version");
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
  void oldJavaIsReportedWithTheRequiredVersion() throws IOException {
    Shell.Result result = shell.with("JAVA_HOME", tarball.oldJava()).run(kblake("--version"));
    assertThat(result.err()).startsWith("kblake: Java 17 or newer is needed, found 11.0.2");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void javaThatDoesNotStartIsNamed() throws IOException {
    Path home = tarball.brokenJava();
    Shell.Result result = shell.with("JAVA_HOME", home).run(kblake("--version"));
    assertThat(result.err())
        .isEqualTo(
            "kblake: Java does not start: "
                + home
                + "/bin/java -version: cannot load libjli.so;"
                + " set JAVA_HOME to a JDK 17 or newer\n");
    assertThat(result.status()).isEqualTo(1);
  }

  /** Uses the environment of cron, systemd and Nagios, and a locale that is not installed. */
  @Test
  void filesBeyondAsciiAreFoundInEveryLocale() {
    // The name is written as bytes, because this JVM may itself run in such a locale.
    String named = "$'\\xe3\\x83\\x87'";
    String sample = Shell.quoted(TestArchives.sample("mixed"));
    assertThat(shell.run("cp -r " + sample + " " + named).status()).isZero();
    String get = kblake("get -q --to 2016-05-17 --last 1 VA_CCG:D04_000:PRES --archive ");
    for (String locale : List.of("LC_ALL=C", "LC_ALL=POSIX", "LANG=C", "LC_ALL=xx_XX.UTF-8")) {
      String output = " -o " + named + "." + locale + ".csv";
      Shell.Result result =
          shell.run("env -u LC_ALL -u LC_CTYPE -u LANG " + locale + " " + get + named + output);
      assertThat(result.status()).as("%s: %s", locale, result).isZero();
      assertThat(shell.run("cat " + named + "." + locale + ".csv").out()).hasLineCount(2);
    }
    String unhelped = "-cp " + Shell.quoted(tarball.install() + "/lib/*");
    Shell.Result refused =
        shell.run(
            "LC_ALL=C \"$JAVA_HOME\"/bin/java "
                + unhelped
                + " org.kblake.cli.Kblake channels --archive "
                + named);
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .startsWith("kblake channels: path cannot be used: path=")
        .endsWith("; set LC_ALL=C.UTF-8\n")
        .hasLineCount(1);
  }

  /** A script in place of renice calls it, and keeps the niceness that the JVM then has. */
  @Test
  void longWorkRunsAtLowPriority() throws IOException {
    Path seen = machine.resolve("niceness");
    Path renice = Files.createDirectories(machine.resolve("nice-bin")).resolve("renice");
    Files.writeString(
        renice,
        "#!/bin/sh\n/usr/bin/renice \"$@\"\ncut -d' ' -f19 /proc/$PPID/stat >>" + seen + "\n");
    assertThat(renice.toFile().setExecutable(true)).isTrue();
    int own = Integer.parseInt(shell.run("nice").out().strip());
    Shell watched = shell.with("PATH", renice.getParent() + ":" + System.getenv("PATH"));
    String store = " --store " + Shell.quoted(machine.resolve("nice-store"));
    assertThat(watched.run(kblake("backfill -q" + store)).status()).isZero();
    assertThat(watched.run(kblake("-q verify" + store)).status()).isZero();
    assertThat(watched.run(kblake("channels")).status()).isZero();
    Shell usual = watched.with("KBLAKE_NICE", "");
    assertThat(usual.run(kblake("compact -q" + store)).status()).isZero();
    // That of util-linux sets the niceness, others add to it.
    assertThat(Files.readAllLines(seen)).hasSize(2).isSubsetOf("10", "" + Math.min(19, own + 10));
  }

  @Test
  void optionsForTheJvmArePassedOn() {
    Shell.Result result =
        shell
            .with("KBLAKE_JAVA_OPTS", "-Xmx64m -Dx=y -XX:+PrintFlagsFinal")
            .run(kblake("--version"));
    assertThat(result.out()).containsPattern("MaxHeapSize += 67108864");
  }

  @Test
  void aServerHasALargerYoungGeneration() {
    Shell flags = shell.with("KBLAKE_JAVA_OPTS", "-XX:+PrintFlagsFinal");
    for (String command : List.of("serve --help", "-q serve --help", "demo --serve --help")) {
      assertThat(flags.run(kblake(command)).out()).containsPattern("MaxNewSize += 67108864");
    }
    assertThat(flags.run(kblake("get --help")).out()).containsPattern("MaxNewSize += 10485760");
  }

  /** It would live on without a thread that died, and only seem to work. */
  @Test
  void aServiceEndsWhenItsHeapIsFull() {
    Shell flags = shell.with("KBLAKE_JAVA_OPTS", "-XX:+PrintFlagsFinal");
    for (String command : List.of("serve --help", "run --help", "-q run --help")) {
      assertThat(flags.run(kblake(command)).out())
          .containsPattern("ExitOnOutOfMemoryError += true");
    }
    assertThat(flags.run(kblake("get --help")).out())
        .containsPattern("ExitOnOutOfMemoryError += false");
  }

  private static String kblake(String arguments) {
    return tarball.command("kblake") + " " + arguments;
  }
}
