package org.kblake.record.importing.appliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.record.group.LoggedEvents;
import org.kblake.record.importing.ImportReport;
import org.kblake.record.importing.ImportSettings;
import org.kblake.record.importing.ImportSource;
import org.kblake.record.importing.ImportTarget;
import org.kblake.record.importing.LogImport;
import org.kblake.record.importing.SourceChannel;
import org.kblake.record.importing.SourceEvent;

/** An import that is killed, repeated, or meets logs of other programs. */
final class ImportResumeTest {

  private static final Group GROUP = new Group("AA", "G");
  private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");
  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = 1_600_000_000L * SECOND;

  @TempDir Path directory;

  @BeforeEach
  void archive() throws IOException {
    Files.createDirectories(directory.resolve("logs/SYS"));
  }

  private static KblakeRun run(Path in, String... line) {
    List<String> words = new ArrayList<>(List.of("import", "aa", "arch"));
    words.addAll(List.of(line));
    words.addAll(List.of("--archive", "logs"));
    return KblakeRun.in(in).at(NOW).with("LC_ALL", "C").run(words.toArray(String[]::new));
  }

  private KblakeRun run(String... line) {
    return run(directory, line);
  }

  /** Writes a file with a double each second, and returns its bytes. */
  private byte[] file(String name, long begin, int samples) throws IOException {
    PbFileBytes file = new PbFileBytes(name, 6, 2020, 1);
    for (int i = 0; i < samples; i++) {
      long bits = Double.doubleToRawLongBits(i);
      file.sample(begin + i * SECOND, new Object[] {bits}, 0, 0, -1, -1);
    }
    Path folder = Files.createDirectories(directory.resolve("arch"));
    Files.write(folder.resolve(name + ":2020.pb"), file.get());
    return file.get();
  }

  private List<String> logged() throws IOException {
    return LoggedEvents.read(directory.resolve("logs"), GROUP);
  }

  private List<String> entries(String directoryName) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(directoryName))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** A source during which the archive is copied: the copy is what a kill at this moment leaves. */
  private record Killed(ImportSource source, long[] left, Path logs, Path copy)
      implements ImportSource {

    @Override
    public List<SourceChannel> channels() {
      return source.channels();
    }

    @Override
    public @Nullable SourceEvent next() throws IOException {
      if (left[0]-- == 0) {
        copyTree(logs, copy);
      }
      return source.next();
    }

    @Override
    public long work() {
      return source.work();
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else {
          Files.copy(each, target);
        }
      }
    }
  }

  /** A kill leaves whole pairs only, and the same command then writes the rest, each event once. */
  @Test
  void aKilledImportContinues() throws Exception {
    Seeds.each("import-killed", Seeds.cases(8, 60), this::kill);
  }

  private void kill(long seed) throws Exception {
    Random random = new Random(seed);
    Path in = Files.createDirectories(directory.resolve("s" + seed + "/logs/SYS")).resolve("../..");
    Path killed = Files.createDirectories(directory.resolve("k" + seed));
    RandomAppliance appliance = new RandomAppliance(random, in.resolve("arch"));
    appliance.write();
    copyTree(in.resolve("arch"), killed.resolve("arch"));
    ImportReport report = new ImportReport(line -> {});
    PbTree tree = PbTree.read(in.resolve("arch"), report);
    List<PbChannel> channels = new ArrayList<>();
    for (String name : tree.names()) {
      channels.add(Objects.requireNonNull(tree.channel(name, TimeRange.ALL)));
    }
    ImportSettings settings =
        new ImportSettings(
            600 * SECOND, 86_400 * SECOND, 60 * SECOND, 20_000 + random.nextInt(9999));
    long kills = random.nextInt(appliance.times().size() + 1);
    Path root = in.resolve("logs");
    try (ImportSource source =
            new Killed(
                new ApplianceSource(channels, TimeRange.ALL, Long.MIN_VALUE, report),
                new long[] {kills},
                root,
                killed.resolve("logs"));
        ImportTarget target =
            ImportTarget.open(root, GROUP, ZoneId.of("Asia/Tokyo"), NOW.toEpochMilli())) {
      new LogImport(source, target, settings, report, Clock.fixed(NOW, ZoneOffset.UTC))
          .run(TimeRange.ALL, (work, events) -> {});
    }
    List<String> whole = LoggedEvents.read(root, GROUP);
    if (!Files.exists(killed.resolve("logs"))) {
      return;
    }
    List<String> kept = LoggedEvents.read(killed.resolve("logs"), GROUP);
    assertThat(kept).isEqualTo(whole.subList(0, kept.size()));
    run(killed, "--group", "AA/G");
    assertThat(LoggedEvents.read(killed.resolve("logs"), GROUP)).isEqualTo(whole);
    try (Stream<Path> files = Files.list(killed.resolve("logs/AA"))) {
      assertThat(files.map(Path::toString)).noneMatch(file -> file.endsWith("log2.import"));
    }
  }

  /** A kill between the names of the two files. */
  @Test
  void aPairWithoutItsLastNameGetsIt() throws IOException {
    file("A", BEGIN, 100);
    assertThat(run("--group", "AA/G").status()).isZero();
    List<String> lines = logged();
    Path index = directory.resolve("logs/AA/" + entries("logs/AA").get(2));
    assertThat(index.toString()).endsWith(".log1");
    Files.move(index, index.resolveSibling("." + index.getFileName() + ".import"));
    assertThat(run("--group", "AA/G").err()).contains("nothing new");
    assertThat(logged()).isEqualTo(lines).hasSize(100);
  }

  /** The appliance appends to the file of the year: another import takes the rest. */
  @Test
  void whatTheFilesGotSinceIsAdded() throws IOException {
    file("A", BEGIN, 100);
    assertThat(run("--group", "AA/G").status()).isZero();
    file("A", BEGIN, 150);
    file("B", BEGIN + 50 * SECOND, 100);
    KblakeRun more = run("--group", "AA/G");
    assertThat(more.err()).contains("AA/G: 101 events in 1 pairs").contains("1 channels are new");
    assertThat(logged().stream().filter(line -> line.startsWith("A "))).hasSize(150);
    assertThat(Files.readString(directory.resolve("logs/SYS/KEKBLog.list"))).isEqualTo("AA G\n");
  }

  /** What is damaged in the files makes only the first import incomplete. */
  @Test
  void damagedSamplesAreCountedOnce() throws IOException {
    PbFileBytes file = new PbFileBytes("A", 6, 2020, 1);
    Path path = Files.createDirectories(directory.resolve("arch")).resolve("A:2020.pb");
    for (int i = 0; i < 30; i++) {
      file.sample(BEGIN + i * SECOND, new Object[] {0L}, 0, 0, -1, -1);
      if (i == 10 || i == 20) {
        Files.write(path, file.get());
        KblakeRun run = run("--group", "AA/G", "--to", "@" + (BEGIN / SECOND + i));
        assertThat(run.status()).as(run.err()).isEqualTo(i == 10 ? 0 : 3);
        file.line(new byte[] {1, 2, 3});
        Files.write(path, file.get());
      }
    }
    Files.write(path, file.get());
    KblakeRun last = run("--group", "AA/G");
    assertThat(last.err()).contains("1 damaged samples left out");
    assertThat(last.status()).isEqualTo(3);
    file.sample(BEGIN + 40 * SECOND, new Object[] {0L}, 0, 0, -1, -1);
    Files.write(path, file.get());
    KblakeRun more = run("--group", "AA/G");
    assertThat(more.status()).as(more.err()).isZero();
    assertThat(logged()).hasSize(31);
  }

  /** The range begins with its first value, so what is left out before that one counts. */
  @Test
  void whatIsDamagedAtTheBeginOfTheRangeIsCounted() throws IOException {
    PbFileBytes file = new PbFileBytes("A", 6, 2020, 1);
    for (int i = 0; i < 20; i++) {
      if (i == 5 || i == 10) {
        file.line(new byte[] {1, 2, 3});
      }
      file.sample(BEGIN + i * SECOND, new Object[] {0L}, 0, 0, -1, -1);
    }
    Files.write(Files.createDirectories(directory.resolve("arch")).resolve("A.pb"), file.get());
    KblakeRun run = run("--group", "AA/G", "--from", "@" + (BEGIN / SECOND + 10));
    assertThat(run.err()).contains("1 damaged samples left out");
    assertThat(run.status()).isEqualTo(3);
    assertThat(logged()).hasSize(10);
    assertThat(run("--group", "AA/G", "--from", "@" + (BEGIN / SECOND + 10)).status()).isZero();
  }

  /** A sample whose clock was ahead is the end of an import with --to, and must not be silent. */
  @Test
  void valuesBehindOneOfTheFutureAreCounted() throws IOException {
    valuesBehindOneOfTheFuture(10);
  }

  @Test
  void valuesBehindAFirstOneOfTheFutureAreCounted() throws IOException {
    valuesBehindOneOfTheFuture(0);
  }

  private void valuesBehindOneOfTheFuture(int number) throws IOException {
    PbFileBytes file = new PbFileBytes("A", 6, 2020, 1);
    for (int i = 0; i < 100; i++) {
      long ahead = i == number ? 90 * 86_400 * SECOND : 0;
      file.sample(BEGIN + i * SECOND + ahead, new Object[] {0L}, 0, 0, -1, -1);
    }
    Files.write(Files.createDirectories(directory.resolve("arch")).resolve("A.pb"), file.get());
    KblakeRun run = run("--group", "AA/G", "--to", "2020-09-20");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .contains(99 - number + " values left out behind one that is not before --to")
        .contains("arch/A.pb, later by seconds=");
    if (number > 0) {
      assertThat(logged()).hasSize(number);
    }
    KblakeRun rest = run("--group", "AA/G", "--to", "2021-01-01");
    assertThat(rest.status()).as(rest.err()).isZero();
    assertThat(logged()).hasSize(100);
  }

  /** Otherwise each later import says that there is nothing new. */
  @Test
  void anEventOfTheFutureIsSaid() throws IOException {
    PbFileBytes file = new PbFileBytes("A", 6, 2026, 1);
    long december = NOW.plusSeconds(20 * 86_400).getEpochSecond() * SECOND;
    file.sample(december, new Object[] {0L}, 0, 0, -1, -1);
    Files.write(Files.createDirectories(directory.resolve("arch")).resolve("A.pb"), file.get());
    assertThat(run("--group", "AA/G").err()).contains("the last event is in the future");
  }

  @Test
  void logsOfOtherProgramsAreNeverTouched() throws IOException {
    file("A", BEGIN, 100);
    Path logs = Files.createDirectories(directory.resolve("logs/AA"));
    Path index = Files.writeString(logs.resolve("G_20200913213000.log1"), "x");
    Files.setLastModifiedTime(index, FileTime.from(NOW.minusSeconds(3600)));
    KblakeRun refused = run("--group", "AA/G");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .contains("logs of another program from 2020-09-13T21:30:00+09:00 on")
        .hasLineCount(1);
    KblakeRun before = run("--group", "AA/G", "--to", "2020-09-13T21:27:00");
    assertThat(before.err()).contains("AA/G: 20 events in 1 pairs");
    assertThat(Files.readString(index)).isEqualTo("x");
    Files.setLastModifiedTime(index, FileTime.from(NOW.minusSeconds(5)));
    KblakeRun growing = run("--group", "AA/G", "--to", "2020-09-13T21:28:00");
    assertThat(growing.err())
        .contains("another program records the group; stop it and wait a minute");
  }

  @Test
  void aGroupThatIsLockedIsRefused() throws IOException {
    file("A", BEGIN, 10);
    Path lock = Files.createDirectories(directory.resolve("logs/AA")).resolve(".G.lock");
    try (FileChannel locked =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThat(locked.tryLock()).isNotNull();
      assertThat(run("--group", "AA/G").err()).contains("group is being recorded or imported");
    }
    assertThat(run("--group", "AA/G").status()).isZero();
  }

  /** Faults of one archive are not said to be those of the other. */
  @Test
  void faultsNameTheirFile() throws IOException {
    file("A", BEGIN, 10);
    Path unreadable = Path.of("/proc/self/mem");
    assumeThat(unreadable).exists();
    Path link = Files.createSymbolicLink(directory.resolve("arch/mem.pb"), unreadable);
    KblakeRun read = run("--group", "AA/G");
    assertThat(read.err()).contains(link + ": Input/output error").doesNotContain("cannot write");
    Files.delete(link);
    Path state = Files.createDirectories(directory.resolve("logs/AA")).resolve(".G.import");
    Files.writeString(state, "x");
    assertThat(run("--group", "AA/G").err())
        .contains("not the state of an import")
        .doesNotContain("cannot write");
  }

  @Test
  void aChoiceOfChannelsIsImported() throws IOException {
    file("A:X", BEGIN, 10);
    file("A:Y", BEGIN, 10);
    file("B", BEGIN, 10);
    Files.writeString(directory.resolve("names"), "B\n");
    KblakeRun table = run("--group", "AA/G", "--dry-run", "A:*", "--list", "names");
    assertThat(table.out().lines().skip(1))
        .hasSize(3)
        .allMatch(line -> line.startsWith("2020-09-13  2020-09-13  double         1      1"));
    assertThat(table.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(Files.exists(directory.resolve("logs/AA"))).isFalse();
    assertThat(run("--group", "AA/G", "A:[!X]", "--list", "names").status()).isZero();
    assertThat(logged()).hasSize(20).noneMatch(line -> line.startsWith("A:X"));
    assertThat(run("--group", "AA/G", "C*").err()).contains("the source has no such channel: C*");
  }

  @Test
  void structuresAreRefusedByName() throws IOException {
    file("A", BEGIN, 10);
    byte[] bytes = new PbFileBytes("V:TABLE", 14, 2020, 1).get();
    Files.write(directory.resolve("arch/V:2020.pb"), bytes);
    KblakeRun run = run("--group", "AA/G");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("structures of PV Access").contains("channel=V:TABLE");
    assertThat(logged()).hasSize(10);
  }

  @Test
  void wrongArgumentsHaveClearErrors() throws IOException {
    assertThat(run("--group", "AA/G").err()).contains("no directory: ").hasLineCount(1);
    Files.createDirectories(directory.resolve("arch"));
    assertThat(run("--group", "AA/G").err()).contains("no files of the appliance, *.pb");
    Files.writeString(directory.resolve("arch/x.pb"), "nothing\n", StandardCharsets.US_ASCII);
    assertThat(run("--group", "AA/G").err()).contains("no file of the appliance");
    assertThat(run().err()).contains("--group");
    assertThat(run("--group", "G").err()).contains("group is not SYSTEM/NAME");
    assertThat(run("--group", "Kblake/Record").err()).contains("group is a ledger");
    assertThat(run("--group", "AA/G", "--milestone", "2h").err()).contains("--milestone");
    file("A", BEGIN, 10);
    assertThat(run("--group", "AA/G", "--largest-log", "100").err()).contains("--largest-log");
    Files.delete(directory.resolve("logs/SYS"));
    assertThat(run("--group", "AA/G").err()).contains("archive has no directory SYS");
  }

  /** What changes one line harms no other, and no bytes make the import fail. */
  @Test
  void anyBytesAreRead() throws Exception {
    Seeds.each("import-aa-fuzz", Seeds.cases(300, 5000), this::fuzz);
  }

  private void fuzz(long seed) throws IOException {
    Random random = new Random(seed);
    int type = random.nextInt(14);
    PbFileBytes file = new PbFileBytes("A", type, 2020, 3);
    for (int i = 0; i < 20; i++) {
      Object[] value = {type % 7 == 0 ? (Object) "text\n" : (Object) (long) random.nextInt(99)};
      file.sample(BEGIN + i * SECOND, value, 0, 0, 1 + i, i);
    }
    byte[] bytes = file.get();
    for (int i = random.nextInt(10); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    Path path = Files.write(directory.resolve("fuzzed.pb"), bytes);
    ImportReport report = new ImportReport(line -> {});
    PbTree tree = PbTree.read(path, report);
    for (String name : tree.names()) {
      PbChannel channel = Objects.requireNonNull(tree.channel(name, TimeRange.ALL));
      try (ImportSource source =
          new ApplianceSource(List.of(channel), TimeRange.ALL, Long.MIN_VALUE, report)) {
        long before = Long.MIN_VALUE;
        int events = 0;
        for (SourceEvent event = source.next(); event != null; event = source.next()) {
          assertThat(event.orderNanos()).isGreaterThanOrEqualTo(before);
          assertThat(event.value().length % event.type().bytes()).isZero();
          before = event.orderNanos();
          events++;
        }
        assertThat(events).isLessThanOrEqualTo(3 * 60);
      }
    }
  }
}
