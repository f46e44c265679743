package org.kblake.cli.command.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.FileTreeState;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.doctor.InitialSettings;

/** {@code kblake doctor} on a simulated archive of a few minutes. */
final class DoctorCommandTest {

  private static final Instant NOW = Instant.parse("2024-05-19T15:20:00Z");

  @TempDir private static Path simulated;

  @TempDir private Path directory;

  @BeforeAll
  static void simulate() {
    KblakeRun run =
        KblakeRun.in(simulated)
            .run("simulate", "-q", "--days", "0.01", "--start", "20240520", "archive");
    assertThat(run.status()).as(run.err()).isZero();
  }

  private static Path archive() {
    return simulated.resolve("archive");
  }

  private KblakeRun doctor(String... more) {
    String[] args = new String[more.length + 1];
    args[0] = "doctor";
    System.arraycopy(more, 0, args, 1, more.length);
    KblakeRun run =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", archive().toString())
            .at(NOW)
            .leavingAlone(archive())
            .run(args);
    assertThat(run.err()).doesNotContain("internal error");
    return run;
  }

  private KblakeRun doctorOfStore(Path store) {
    return doctor("--store", store.toString());
  }

  /** Returns the lines of one subject, without line ends. */
  private static String lines(KblakeRun run, String subject) {
    StringBuilder lines = new StringBuilder();
    boolean here = false;
    for (String line : run.out().lines().toList()) {
      here = line.isEmpty() ? false : line.startsWith(" ") ? here : line.startsWith(subject + " ");
      lines.append(here ? line + "\n" : "");
    }
    return lines.toString().replaceAll("\\s+", " ").strip();
  }

  @Test
  void soundSurroundingsHaveNoProblem() {
    KblakeRun run = doctorOfStore(directory.resolve("store"));
    assertThat(run.status()).as(run.out()).isZero();
    assertThat(lines(run, "settings")).startsWith("settings ok no kblake.toml");
    assertThat(lines(run, "archive"))
        .startsWith("archive ok " + archive() + ": 4 groups, newest event 2024-05-20 00:14:")
        .contains(" ago (");
    assertThat(lines(run, "zone"))
        .isEqualTo("zone ok Asia/Tokyo (default) agrees with the names of the newest logs");
    assertThat(lines(run, "store")).contains("does not exist yet: kblake backfill makes it");
    assertThat(lines(run, "disk")).contains(" free of ");
    assertThat(lines(run, "fsync")).contains(" ms for 4 KiB (median)");
    assertThat(lines(run, "write")).contains(" MiB/s (");
    assertThat(lines(run, "watches")).startsWith("watches ok ");
    assertThat(lines(run, "files")).startsWith("files ");
    assertThat(lines(run, "java")).startsWith("java ok Java ");
    assertThat(lines(run, "memory")).startsWith("memory ");
    assertThat(run.out()).containsPattern("\n\nkblake can work here.*\n$");
    assertThat(run.out().lines().filter(line -> !line.contains("/")))
        .allMatch(line -> line.length() <= 80);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void missingArchiveIsAProblemWithThePlaceOfOne() throws IOException {
    KblakeRun run = KblakeRun.in(simulated).run("doctor");
    assertThat(run.status()).isEqualTo(1);
    assertThat(lines(run, "archive"))
        .startsWith("archive problem none is named")
        .contains("kblake doctor --init --archive " + archive());
    assertThat(run.out()).endsWith("\nCorrect this problem first: archive.\n");
    assertThat(lines(doctor("--archive", directory.resolve("none").toString()), "archive"))
        .startsWith("archive problem " + directory.resolve("none") + ", missing");
    assertThat(lines(doctor("--archive", archive().resolve("VA").toString()), "archive"))
        .contains("is no archive", "did you mean --archive " + archive() + "?");
    assertThat(
            lines(
                doctor("--archive", Files.createDirectory(directory.resolve("e")).toString()),
                "archive"))
        .contains("is no archive", "name the directory that has SYS/KEKBLog.list");
  }

  /** The recorder is in another tarball. */
  @Test
  void settingsOfARecorderThatIsNotInstalledAreNamed() throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), "[record]\nrotate = \"1d\"\n");
    assertThat(lines(doctor(), "record"))
        .startsWith("record warning the settings have [record], and the recorder is not installed")
        .contains("kblake-record-VERSION.tar.gz");
    KblakeRun check =
        KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive().toString()).run("config", "check");
    assertThat(check.status()).as(check.err()).isZero();
    assertThat(check.err())
        .contains("kblake.toml: line 1: [record] is not checked", "kblake-record-VERSION.tar.gz")
        .hasLineCount(1);
    Files.delete(directory.resolve("kblake.toml"));
    assertThat(lines(doctor(), "record")).isEmpty();
  }

  @Test
  void wrongZoneIsAProblem() {
    KblakeRun run = doctor("--zone", "UTC");
    assertThat(run.status()).isEqualTo(1);
    assertThat(lines(run, "zone"))
        .contains("UTC (--zone) is wrong", "15:00:00 UTC, its name has UTC+09:00")
        .contains("zone = \"Asia/Tokyo\"");
  }

  @Test
  void eventsOfTheFutureShowAWrongClock() {
    KblakeRun run =
        KblakeRun.in(directory)
            .at(NOW.minusSeconds(7200))
            .run("doctor", "--archive", archive().toString());
    assertThat(lines(run, "clock")).contains("clock warning the newest event", "in the future");
  }

  @Test
  void systemThatCannotBeReadIsAWarning() throws IOException {
    Path copy = directory.resolve("copy");
    Files.createDirectories(copy.resolve("SYS"));
    Files.copy(archive().resolve("SYS/KEKBLog.list"), copy.resolve("SYS/KEKBLog.list"));
    Files.createSymbolicLink(copy.resolve("BM"), archive().resolve("BM"));
    Files.createSymbolicLink(copy.resolve("VA"), directory.resolve("away"));
    KblakeRun run = doctor("--archive", copy.toString());
    assertThat(run.status()).isZero();
    assertThat(lines(run, "archive")).contains("archive warning", "link has no target");
  }

  @Test
  void storeIsExamined() throws IOException {
    Path store = directory.resolve("store");
    Files.createDirectory(store);
    assertThat(lines(doctorOfStore(store), "store"))
        .contains("store ok", "is empty: kblake backfill writes it");
    assertThat(store).isEmptyDirectory();
    Files.createFile(store.resolve("other"));
    KblakeRun other = doctorOfStore(store);
    assertThat(other.status()).isEqualTo(1);
    assertThat(lines(other, "store")).contains("store problem", "is not empty and not a store");
    KblakeRun inside = doctorOfStore(archive().resolve("store"));
    assertThat(inside.status()).isEqualTo(1);
    assertThat(lines(inside, "store")).contains("archive and store must be apart");
    assertThat(lines(inside, "disk")).isEmpty();
    KblakeRun around = doctorOfStore(simulated);
    assertThat(lines(around, "store")).contains("archive and store must be apart");
    assertThat(lines(doctorOfStore(store.resolve("other")), "store"))
        .contains("is not a directory");
  }

  @Test
  void storeOfThisArchiveAndOfAnother() throws IOException {
    Path store = directory.resolve("store");
    KblakeRun backfill =
        KblakeRun.in(directory)
            .run(
                "backfill",
                "-q",
                "--memory",
                "64M",
                "--archive",
                archive().toString(),
                "--store",
                store.toString());
    assertThat(backfill.status()).as(backfill.err()).isZero();
    String before = FileTreeState.of(store);
    KblakeRun run = doctorOfStore(store);
    assertThat(lines(run, "store")).contains("store ok", "columns of 4 groups");
    assertThat(names(store)).isEqualTo(names(before));
    KblakeRun other = doctor("--zone", "UTC", "--store", store.toString());
    assertThat(lines(other, "store")).contains("store problem", "store belongs to another");
  }

  private static List<String> names(String state) {
    return state.lines().map(line -> line.split(" ")[0]).toList();
  }

  private static List<String> names(Path tree) {
    return names(FileTreeState.of(tree));
  }

  /** Permissions do not bind root, for whom the store is as any other. */
  @Test
  void storeThatThisUserCannotWrite() throws IOException {
    Path store = Files.createDirectory(directory.resolve("store"));
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("r-xr-xr-x"));
    KblakeRun run = doctorOfStore(store);
    if (Files.isWritable(store)) {
      assertThat(lines(run, "store")).doesNotContain("this user");
      return;
    }
    assertThat(lines(run, "store")).contains("store warning", "this user may read it, not write");
    assertThat(lines(run, "write")).contains("not measured");
    assertThat(lines(doctorOfStore(store.resolve("a/b")), "store"))
        .contains("store problem", "this user may not write to " + store);
  }

  @Test
  void storeInMemoryIsAWarning() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeThat(Files.isWritable(memory)).as("a tmpfs at /dev/shm").isTrue();
    KblakeRun run = doctorOfStore(memory.resolve("kblake-none"));
    assertThat(run.status()).isZero();
    assertThat(lines(run, "disk")).contains("disk warning tmpfs", "memory", "a store on a disk");
    assertThat(lines(run, "write")).contains("write unknown not measured: the disk is memory");
  }

  @Test
  void settingsAreExamined() throws IOException {
    Path file = directory.resolve("kblake.toml");
    Files.writeString(file, "archive = /logs\n");
    KblakeRun broken = KblakeRun.in(directory).run("doctor");
    assertThat(broken.status()).isEqualTo(1);
    assertThat(lines(broken, "settings")).contains("line 1: text is not in quotes");
    Files.writeString(
        file, "store = \"~/x\"\n[run]\npol = \"1s\"\n[run.group.\"VA/CC\"]\nmode = \"never\"\n");
    KblakeRun wrong = KblakeRun.in(directory).run("doctor", "--archive", archive().toString());
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(lines(wrong, "settings"))
        .contains("line 3: unknown key 'run.pol'")
        .contains("line 1: store: ~ is not replaced")
        .contains("line 4: run.group.\"VA/CC\": no such group; did you mean VA/CCG?");
    Files.writeString(file, "tail = \"soft\"\n");
    assertThat(lines(doctor(), "settings")).contains("settings problem", "line 1: tail is auto");
  }

  @Test
  void initWritesSettingsThatWork() throws IOException {
    Path store = directory.resolve("store");
    KblakeRun run = doctor("--init", "--store", store.toString());
    assertThat(run.status()).as(run.err()).isZero();
    Path file = directory.resolve("kblake.toml");
    assertThat(run.out()).contains("Wrote " + file + ". Next:\n", "kblake backfill --dry-run");
    KblakeRun check = KblakeRun.in(directory).run("config", "check");
    assertThat(check.err()).isEmpty();
    assertThat(check.out().replaceAll(" +", " "))
        .contains("archive " + archive() + " " + file)
        .contains("store " + store + " " + file)
        .contains("zone Asia/Tokyo " + file);
    String text = Files.readString(file);
    KblakeRun again = doctor("--init");
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err())
        .startsWith("kblake doctor: settings file exists and is not changed: file=" + file);
    assertThat(file).hasContent(text);
  }

  @Test
  void initFindsArchiveAndStoreInTheWorkingDirectory() throws IOException {
    Files.createSymbolicLink(directory.resolve("logs"), archive());
    Path config = directory.resolve("new.toml");
    KblakeRun run = KblakeRun.in(directory).run("doctor", "--init", "--config", "new.toml");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(config)
        .content()
        .contains("archive = \"" + directory.resolve("logs") + "\"\n# store = ");
    assertThat(run.out()).contains("export KBLAKE_CONFIG=" + config);
    assertThat(directory.resolve("kblake.toml")).doesNotExist();
  }

  @Test
  void initNeedsAnArchiveAndWritesNothingBelowIt() throws IOException {
    KblakeRun none = doctor("--init", "--archive", directory.resolve("none").toString());
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).contains("no settings are written without an archive");
    assertThat(directory).isEmptyDirectory();
    KblakeRun inside =
        KblakeRun.in(archive().resolve("VA")).leavingAlone(archive()).run("doctor", "--init");
    assertThat(inside.status()).isEqualTo(1);
    assertThat(inside.err()).contains("settings file is not written into the archive");
  }

  @Test
  void quotesInPathsAreEscaped() {
    assertThat(new InitialSettings(Path.of("/a\"b\\c"), null, "UTC").text())
        .contains("archive = \"/a\\\"b\\\\c\"\n");
  }

  /** The day is 2024-05-19. */
  @Test
  void tokensThatExpireSoonAreNamed() throws IOException {
    Files.writeString(
        directory.resolve("served"),
        """
        old 2024-05-18 0123456789abcdef-1
        soon 2024-06-01 0123456789abcdef-2
        later 2024-06-03 0123456789abcdef-3
        ever 0123456789abcdef-4
        """);
    Files.writeString(directory.resolve("watched"), "0123456789abcdef");
    Path settings = directory.resolve("kblake.toml");
    Files.writeString(
        settings, "[run]\ntoken-file = \"watched\"\n[serve]\ntoken-file = \"served\"\n");
    KblakeRun run = doctor("--config", settings.toString());
    assertThat(lines(run, "tokens"))
        .startsWith("tokens ok kblake run: 1 token tokens warning kblake serve: 4 tokens,")
        .contains("old has expired, soon expires soon")
        .contains("write a new line for each into " + directory.resolve("served"))
        .doesNotContain("later ", "ever ", "0123456789abcdef");
  }

  /** The certificate ends on 2024-05-31, in 12 days. */
  @Test
  void aCertificateThatEndsSoonIsAWarning() throws Exception {
    Path keys = directory.resolve("keys.p12");
    keytool(keys, "-genkeypair -keyalg EC -dname CN=x -validity 30 -startdate", "2024/05/01");
    keytool(keys, "-exportcert -rfc -file", directory.resolve("soon.crt").toString());
    Files.writeString(directory.resolve("no.crt"), "no certificate");
    Path settings = directory.resolve("kblake.toml");
    Files.writeString(settings, "[serve]\ntls-cert = \"soon.crt\"\ntls-key = \"keys.p12\"\n");
    assertThat(lines(doctor("--config", settings.toString()), "tls"))
        .startsWith("tls warning " + directory.resolve("soon.crt") + " ends at 2024-05-3")
        .contains("get another one, as docs/operations.md describes");

    Files.writeString(settings, "[serve]\ntls-cert = \"no.crt\"\ntls-key = \"keys.p12\"\n");
    assertThat(lines(doctor("--config", settings.toString()), "tls"))
        .contains("tls problem", "no.crt: the file has no certificate in PEM");
  }

  private static void keytool(Path keys, String options, String last) throws Exception {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> line = new ArrayList<>(List.of(keytool));
    line.addAll(List.of(options.split(" ")));
    line.add(last.startsWith("20") ? last + " 00:00:00" : last);
    line.addAll(
        List.of("-keystore", keys.toString(), "-storepass", "changeit", "-alias", "server"));
    Path log = keys.resolveSibling("keytool.log");
    Process process =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
  }
}
