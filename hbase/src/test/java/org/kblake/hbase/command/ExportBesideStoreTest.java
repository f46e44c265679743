package org.kblake.hbase.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.mirror.CopyWriter;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.model.Group;

/**
 * {@code kblake export hbase} beside a store that cannot be opened, or whose mirror has more of a
 * log than the archive.
 */
final class ExportBesideStoreTest {

  private static final int INCOMPLETE = 3;
  private static final Group GROUP = new Group("VA", "CCG");
  private static final String NOTE = "store cannot be used, raw logs are read: ";

  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    RandomLogs.write(archive(), 5);
  }

  private Path archive() {
    return directory.resolve("archive");
  }

  private Path store() {
    return directory.resolve("store");
  }

  private KblakeRun kblake(List<String> words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive().toString())
        .at(Instant.parse("2026-01-01T00:00:00Z"))
        .leavingAlone(archive())
        .run(words.toArray(String[]::new));
  }

  private KblakeRun export(String files, String... more) {
    List<String> words = new ArrayList<>(List.of("export", "hbase", "t", "--files", files));
    words.addAll(List.of("--from", "2020-02-20", "--to", "2020-03-10", "--stretch", "1h"));
    words.addAll(List.of(more));
    return kblake(words);
  }

  private void backfill(String... more) {
    List<String> words = new ArrayList<>(List.of("backfill", "-q", "--store", "store"));
    words.addAll(List.of(more));
    KblakeRun run = kblake(words);
    assertThat(run.status()).as("%s", run).isIn(0, INCOMPLETE);
  }

  /** Makes the store one that nobody can open, the superuser included. */
  private void spoilStore() throws IOException {
    Path identity = store().resolve("kblake-store.properties");
    Files.delete(identity);
    Files.createDirectory(identity);
  }

  /** Returns what was exported: of each batch the digest of its cells, and its files. */
  private Map<String, String> batches(String files) throws IOException {
    Map<String, String> notes = new TreeMap<>();
    try (Stream<Path> list = Files.list(directory.resolve(files).resolve("_stretches"))) {
      for (Path note : list.toList()) {
        notes.put(String.valueOf(note.getFileName()), Files.readString(note));
      }
    }
    assertThat(notes).isNotEmpty();
    return notes;
  }

  @Test
  void logsAreExportedIfTheStoreCannotBeOpened() throws Exception {
    assertThat(export("expected").status()).isZero();
    backfill();
    spoilStore();
    KblakeRun exported = export("files", "--store", "store");
    assertThat(exported.status()).as("%s", exported).isZero();
    assertThat(exported.err()).contains(NOTE);
    assertThat(batches("files")).isEqualTo(batches("expected"));
    KblakeRun columns = export("columns", "--store", "store", "--source", "store");
    assertThat(columns.status()).as("%s", columns).isEqualTo(1);
    assertThat(columns.err()).doesNotContain(NOTE).hasLineCount(1);
  }

  @Test
  void aStoreOfOtherSettingsIsAnError() throws Exception {
    backfill();
    KblakeRun exported = export("files", "--store", "store", "--zone", "UTC");
    assertThat(exported.status()).as("%s", exported).isEqualTo(1);
    assertThat(exported.err()).contains("store belongs to another archive or setting");
  }

  /** Their logs were removed from the archive, and the columns cannot be read now. */
  @Test
  void filesOfEventsThatOnlyColumnsHaveStay() throws Exception {
    backfill();
    String[] options = {"VA:*", "--store", "store"};
    assertThat(export("files", options).status()).isZero();
    Map<String, String> before = batches("files");
    Pair last = lastPair();
    Files.delete(last.logPath());
    Files.delete(last.indexPath());
    assertThat(export("files", options).err()).contains("; 0 stretches written, ");
    spoilStore();
    KblakeRun exported = export("files", options);
    assertThat(exported.status()).as("%s", exported).isZero();
    assertThat(exported.err()).contains(NOTE);
    assertThat(batches("files")).isEqualTo(before);
  }

  private Pair lastPair() throws IOException {
    List<Pair> pairs = Archive.open(archive(), ArchiveSettings.defaults()).pairs(GROUP);
    return pairs.get(pairs.size() - 1);
  }

  /** Copies a log into the mirror of the store, as {@code kblake run} does while it grows. */
  private void mirror(Pair pair) throws IOException {
    PairLog log = pair.open();
    byte[] bytes = Files.readAllBytes(pair.logPath());
    Mirror mirror = Mirror.make(store(), directory.resolve("mirror"));
    CopyWriter copy = CopyWriter.begin(mirror.files(pair.group(), pair.stamp()), 0);
    copy.put(ByteBuffer.wrap(bytes), 0);
    copy.head(log.firstEvent().length);
    copy.verified(bytes.length);
    String key = String.valueOf(FileState.of(pair.logPath()).key());
    copy.account(log.indexBytes(), log.indexModified(), log.logModified(), key, false);
  }

  /** The copy has the end of the log. Nothing shows that there was no more. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "raw"})
  void aLogThatIsShorterThanItsCopyIsReported(String source) throws Exception {
    assertThat(export("whole").status()).isZero();
    backfill("--to", "2020-02-01");
    Pair last = lastPair();
    mirror(last);
    String[] options = {"--store", "store", "--source", source};
    assertThat(export("before", options).status()).isZero();
    byte[] bytes = Files.readAllBytes(last.logPath());
    FileTime modified = Files.getLastModifiedTime(last.logPath());
    try (FileChannel log = FileChannel.open(last.logPath(), StandardOpenOption.WRITE)) {
      log.truncate(bytes.length - 1);
    }
    Files.setLastModifiedTime(last.logPath(), modified);
    KblakeRun exported = export("files", options);
    assertThat(exported.status()).as("%s", exported).isEqualTo(INCOMPLETE);
    assertThat(exported.err())
        .contains("kblake export hbase: incomplete: damaged: " + GROUP)
        .contains("log is shorter than its copy in the mirror: file=" + last.logPath());
    assertThat(batches("files").equals(batches("whole"))).isEqualTo(source.equals("auto"));
    Files.write(last.logPath(), bytes);
    Files.setLastModifiedTime(last.logPath(), modified);
    assertThat(export("files", options).status()).isZero();
    assertThat(batches("files")).isEqualTo(batches("whole"));
  }
}
