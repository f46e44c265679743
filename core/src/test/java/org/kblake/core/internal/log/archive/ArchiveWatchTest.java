package org.kblake.core.internal.log.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.LocalDisks;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Group;

final class ArchiveWatchTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final Group OTHER = new Group("VA", "PUMP");
  private static final Group LINKED = new Group("RF", "LLRF");
  private static final Duration REST = Duration.ofMillis(1);

  /** The timeout is long, because the machine may be busy. */
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(90);

  @TempDir private Path directory;

  private final List<String> reports = new ArrayList<>();
  private Path root = Path.of("");
  private Archive archive = Archive.unchecked(root, ArchiveSettings.defaults(), FileAccess.WAITING);
  private @Nullable ArchiveWatch watching;

  @BeforeEach
  void open() throws IOException {
    assumeThat(new LocalDisks().isLocal(directory)).as("a local disk").isTrue();
    root = directory.resolve("archive");
    Files.createDirectories(root.resolve("VA"));
    archive = Archive.open(root, ArchiveSettings.defaults());
    open(REST);
  }

  private void open(Duration rest) throws IOException {
    close();
    watching = ArchiveWatch.open(archive, rest, new RecordingListener());
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

  /**
   * Waits until all of these groups are reported. More may be, because a directory that rested
   * reports all of its groups.
   */
  private Set<Group> awaitAll(Group... wanted) throws InterruptedException {
    Set<Group> changed = new TreeSet<>();
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    while (!changed.containsAll(Set.of(wanted)) && deadline - System.nanoTime() > 0) {
      changed.addAll(watch().await(deadline - System.nanoTime()));
    }
    assertThat(changed).contains(wanted);
    return changed;
  }

  /** Waits until the directory is watched again after its rest, which reports all its groups. */
  private void awaitEndOfRest() throws InterruptedException {
    assertThat(watch().await(TIMEOUT_NANOS)).containsExactly(GROUP, OTHER);
  }

  @Test
  void reportsChangedGroups() throws Exception {
    write(file("CCG_20260101000000.log1"));
    write(file("CCG_20260101000000.log2"));
    write(file("PUMP_20260101000000.log2"));
    watchAll();
    // The directories may have changed before the watch began.
    awaitEndOfRest();
    assertThat(reports).containsExactly("watched " + root.toRealPath().resolve("VA"));
    write(file("CCG_20260101000000.log2"));
    assertThat(watch().await(TIMEOUT_NANOS)).containsExactly(GROUP);
    awaitEndOfRest();
    write(file("PUMP_20260101000000.log1"));
    assertThat(watch().await(TIMEOUT_NANOS)).containsExactly(OTHER);
    awaitEndOfRest();
    // A file of no group only makes the directory rest.
    write(file("notes.txt"));
    awaitEndOfRest();
    Files.delete(file("PUMP_20260101000000.log2"));
    assertThat(watch().await(TIMEOUT_NANOS)).containsExactly(OTHER);
    awaitEndOfRest();
    Group added = new Group("VA", "VALVE");
    write(file("VALVE_20260102000000.log2"));
    awaitAll(added);
  }

  /** Frequent writes to a log are reported once per rest period. */
  @Test
  void reportsNothingOfADirectoryThatRests() throws Exception {
    write(file("CCG_20260101000000.log2"));
    write(file("PUMP_20260101000000.log2"));
    Path systems = Files.createDirectory(root.resolve("RF"));
    write(systems.resolve("LLRF_20260101000000.log2"));
    open(Duration.ofHours(1));
    watchAll();
    awaitAll(GROUP, OTHER, LINKED);
    write(file("CCG_20260101000000.log2"));
    awaitAll(GROUP);
    write(file("CCG_20260101000000.log2"));
    write(file("PUMP_20260101000000.log2"));
    // The operating system reports changes in the order in which they happen.
    write(systems.resolve("LLRF_20260101000000.log2"));
    assertThat(awaitAll(LINKED)).containsExactly(LINKED);
    // The state of this directory has changed.
    write(file("VALVE_20260102000000.log2"));
    watchAll();
    awaitAll(GROUP, OTHER, new Group("VA", "VALVE"));
  }

  /** Changes during a rest are reported after it. */
  @Test
  void missesNoChangeWhileADirectoryRests() throws Exception {
    write(file("CCG_20260101000000.log2"));
    write(file("PUMP_20260101000000.log2"));
    open(Duration.ofMillis(500));
    watchAll();
    awaitAll(GROUP, OTHER);
    write(file("CCG_20260101000000.log2"));
    awaitAll(GROUP);
    write(file("PUMP_20260101000000.log2"));
    awaitAll(OTHER);
  }

  /** A system's directory may be a link to another volume, and so may the files of a pair. */
  @Test
  void followsLinks() throws Exception {
    Path volume = Files.createDirectory(directory.resolve("volume"));
    write(volume.resolve("any-name"));
    Files.createSymbolicLink(file("CCG_20260101000000.log2"), volume.resolve("any-name"));
    Path systems = Files.createDirectory(directory.resolve("systems"));
    Files.createSymbolicLink(root.resolve("RF"), systems);
    write(systems.resolve("LLRF_20260101000000.log2"));
    watchAll();
    awaitAll(GROUP, LINKED);
    write(volume.resolve("any-name"));
    awaitAll(GROUP);
    write(systems.resolve("LLRF_20260101000000.log2"));
    awaitAll(LINKED);
    // The link now leads to another volume.
    Path other = Files.createDirectory(directory.resolve("other"));
    write(other.resolve("LLRF_20260101000000.log2"));
    Files.delete(root.resolve("RF"));
    Files.createSymbolicLink(root.resolve("RF"), other);
    watchAll();
    awaitAll(LINKED);
    write(systems.resolve("LLRF_20260101000000.log2"));
    assertThat(watch().await(0)).doesNotContain(LINKED);
    write(other.resolve("LLRF_20260101000000.log1"));
    awaitAll(LINKED);
  }

  /** Uses more than the 512 events that the JDK keeps for a directory. */
  @Test
  void reportsAllGroupsAfterLostEvents() throws Exception {
    write(file("CCG_20260101000000.log2"));
    write(file("PUMP_20260101000000.log2"));
    watchAll();
    awaitAll(GROUP, OTHER);
    for (int i = 0; i < 2000; i++) {
      write(file("file" + i));
    }
    awaitAll(GROUP, OTHER);
  }

  @Test
  void reportsADirectoryThatDisappearsAndReturns() throws Exception {
    write(file("CCG_20260101000000.log2"));
    watchAll();
    awaitAll(GROUP);
    Path watched = root.toRealPath().resolve("VA");
    Files.delete(file("CCG_20260101000000.log2"));
    Files.delete(root.resolve("VA"));
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    while (reports.size() < 2 && deadline - System.nanoTime() > 0) {
      watch().await(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(reports).containsExactly("watched " + watched, "blind " + watched + " it is gone");
    watch().watch(List.of(GROUP), List.of());
    Files.createDirectory(root.resolve("VA"));
    watch().watch(List.of(GROUP), List.of());
    awaitAll(GROUP);
    assertThat(reports).hasSize(3).endsWith("watched " + watched);
    write(file("CCG_20260101000000.log2"));
    awaitAll(GROUP);
    // The directory is moved, which is not reported for the directory itself.
    Files.move(root.resolve("VA"), directory.resolve("away"));
    watch().watch(List.of(GROUP), List.of());
    assertThat(reports).hasSize(4).endsWith("blind " + watched + " it is gone");
  }

  private final class RecordingListener implements ArchiveWatch.Listener {
    @Override
    public void watched(Path place) {
      reports.add("watched " + place);
    }

    @Override
    public void unwatched(Path place, String reason) {
      reports.add("blind " + place + " " + reason);
    }
  }
}
