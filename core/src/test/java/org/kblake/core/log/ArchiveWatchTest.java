package org.kblake.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.ArchiveWatch.Change;
import org.kblake.core.model.Group;

final class ArchiveWatchTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final Group OTHER = new Group("VA", "PUMP");

  /** Whoever waits for it is on a machine with much else to do. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

  @TempDir private Path directory;

  private final List<String> told = new ArrayList<>();
  private Path root = Path.of("");
  private Archive archive = Archive.unseen(root, ArchiveSettings.defaults(), FileAccess.WAITING);
  private @Nullable ArchiveWatch watching;

  @BeforeEach
  void open() throws IOException {
    assumeThat(new FileTree(directory).isLocal()).as("a local disk").isTrue();
    root = directory.resolve("archive");
    Files.createDirectories(root.resolve("VA"));
    archive = Archive.open(root, ArchiveSettings.defaults());
    watching = ArchiveWatch.open(archive, new Told());
  }

  @AfterEach
  void close() throws IOException {
    ArchiveWatch open = watching;
    if (open != null) {
      open.close();
    }
  }

  private ArchiveWatch watch() {
    return Objects.requireNonNull(watching);
  }

  private Path file(String name) {
    return root.resolve("VA").resolve(name);
  }

  private void write(Path file) throws IOException {
    Files.write(file, new byte[] {1}, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void watchAll() throws IOException {
    List<Group> groups = archive.groups();
    List<Pair> pairs = new ArrayList<>();
    for (Group group : groups) {
      pairs.addAll(archive.pairs(group));
    }
    watch().watch(groups, pairs);
  }

  /** What has changed, when all that is waited for has. */
  private Map<Group, Change> await(Map<Group, Change> wanted) throws InterruptedException {
    Map<Group, Change> changes = new TreeMap<>();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!changes.entrySet().containsAll(wanted.entrySet()) && deadline - System.nanoTime() > 0) {
      watch()
          .await(deadline - System.nanoTime())
          .forEach(
              (group, change) ->
                  changes.merge(group, change, (one, two) -> one.compareTo(two) > 0 ? one : two));
    }
    return changes;
  }

  /** Of a file that is new its first bytes may be told apart, and later. */
  private void awaitAll(Map<Group, Change> wanted) throws InterruptedException {
    assertThat(await(wanted)).containsAllEntriesOf(wanted);
  }

  @Test
  void tellsWhatChanges() throws Exception {
    write(file("CCG_20260101000000.log1"));
    write(file("CCG_20260101000000.log2"));
    write(file("PUMP_20260101000000.log2"));
    watchAll();
    assertThat(told).containsExactly("watched " + root.toRealPath().resolve("VA"));
    // They may have changed before.
    awaitAll(Map.of(GROUP, Change.PAIR, OTHER, Change.PAIR));
    write(file("CCG_20260101000000.log2"));
    awaitAll(Map.of(GROUP, Change.LOG));
    write(file("CCG_20260101000000.log1"));
    write(file("PUMP_20260101000000.log2"));
    awaitAll(Map.of(GROUP, Change.PAIR, OTHER, Change.LOG));
    write(file("CCG_20260102000000.log2"));
    awaitAll(Map.of(GROUP, Change.PAIR));
    write(file("notes.txt"));
    Files.delete(file("PUMP_20260101000000.log2"));
    awaitAll(Map.of(OTHER, Change.PAIR));
  }

  /** A system's directory may be a link to another volume, and so may a pair's files. */
  @Test
  void goesWhereLinksLead() throws Exception {
    Path volume = Files.createDirectory(directory.resolve("volume"));
    write(volume.resolve("any-name"));
    Files.createSymbolicLink(file("CCG_20260101000000.log2"), volume.resolve("any-name"));
    Path systems = Files.createDirectory(directory.resolve("systems"));
    Files.createSymbolicLink(root.resolve("RF"), systems);
    write(systems.resolve("LLRF_20260101000000.log2"));
    watchAll();
    awaitAll(Map.of(GROUP, Change.PAIR, new Group("RF", "LLRF"), Change.PAIR));
    write(volume.resolve("any-name"));
    awaitAll(Map.of(GROUP, Change.PAIR));
    write(systems.resolve("LLRF_20260101000000.log2"));
    awaitAll(Map.of(new Group("RF", "LLRF"), Change.LOG));
    // Retargeted to another volume.
    Path other = Files.createDirectory(directory.resolve("other"));
    write(other.resolve("LLRF_20260101000000.log2"));
    Files.delete(root.resolve("RF"));
    Files.createSymbolicLink(root.resolve("RF"), other);
    watchAll();
    awaitAll(Map.of(new Group("RF", "LLRF"), Change.PAIR));
    write(systems.resolve("LLRF_20260101000000.log2"));
    assertThat(watch().await(0)).isEmpty();
    write(other.resolve("LLRF_20260101000000.log1"));
    awaitAll(Map.of(new Group("RF", "LLRF"), Change.PAIR));
  }

  /** More than the 512 events that a JDK keeps of a directory. */
  @Test
  void wakesAllWhereEventsWereLost() throws Exception {
    write(file("CCG_20260101000000.log2"));
    write(file("PUMP_20260101000000.log2"));
    watchAll();
    awaitAll(Map.of(GROUP, Change.PAIR, OTHER, Change.PAIR));
    for (int i = 0; i < 2000; i++) {
      write(file("file" + i));
    }
    awaitAll(Map.of(GROUP, Change.PAIR, OTHER, Change.PAIR));
    assertThat(told).contains("lost " + root.toRealPath().resolve("VA"));
  }

  @Test
  void saysWhenADirectoryIsGoneAndBack() throws Exception {
    write(file("CCG_20260101000000.log2"));
    watchAll();
    Path watched = root.toRealPath().resolve("VA");
    Files.delete(file("CCG_20260101000000.log2"));
    Files.delete(root.resolve("VA"));
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (told.size() < 2 && deadline - System.nanoTime() > 0) {
      watch().await(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(told).containsExactly("watched " + watched, "blind " + watched + " it is gone");
    watch().watch(List.of(GROUP), List.of());
    Files.createDirectory(root.resolve("VA"));
    watch().watch(List.of(GROUP), List.of());
    assertThat(watch().await(0)).isEmpty();
    assertThat(told).hasSize(3).endsWith("watched " + watched);
    write(file("CCG_20260101000000.log2"));
    awaitAll(Map.of(GROUP, Change.PAIR));
    // Moved away, which the directory itself does not tell.
    Files.move(root.resolve("VA"), directory.resolve("away"));
    watch().watch(List.of(GROUP), List.of());
    assertThat(told).hasSize(4).endsWith("blind " + watched + " it is gone");
  }

  private final class Told implements ArchiveWatch.Listener {
    @Override
    public void watched(Path place) {
      told.add("watched " + place);
    }

    @Override
    public void blind(Path place, String reason) {
      told.add("blind " + place + " " + reason);
    }

    @Override
    public void lost(Path place) {
      told.add("lost " + place);
    }
  }
}
