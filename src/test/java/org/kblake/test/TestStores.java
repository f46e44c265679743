package org.kblake.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kblake.core.log.Archive;
import org.kblake.core.log.Milestones;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PairLog;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Block;
import org.kblake.core.store.Pace;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoreFiles;
import org.kblake.core.store.StoreIdentity;
import org.kblake.core.store.parquet.Codec;
import org.kblake.core.store.parquet.WriteProfile;
import org.kblake.ingest.Backfill;
import org.kblake.ingest.BackfillListener;
import org.kblake.ingest.BackfillSettings;
import org.kblake.ingest.BackfillSummary;
import org.kblake.ingest.Compaction;
import org.kblake.ingest.CompactionSettings;
import org.kblake.ingest.Verify;

/** What the end-to-end tests do with archives and stores again and again. */
final class TestStores {

  private static final long MEMORY_BYTES = 64 << 20;
  private static final WriteProfile PROFILE = new WriteProfile(Codec.LZ4, false);

  private TestStores() {}

  /** Copies an archive of the test resources, its pairs closed long ago. */
  static Path sample(String name, Path into) throws IOException {
    return copy(TestArchives.sample(name), into);
  }

  /** Copies the recording of a real machine, its pairs closed long ago. */
  static Path recording(Path into) throws IOException {
    return copy(TestArchives.real(), into);
  }

  static Path copy(Path from, Path into) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = into.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
    closePairs(into);
    return into;
  }

  /** Makes every file of an archive look as if it had last changed long ago. */
  static void closePairs(Path root) throws IOException {
    FileTime longAgo = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Files.setLastModifiedTime(file, longAgo);
      }
    }
  }

  static StoreIdentity identity(Archive archive) {
    return StoreIdentity.of(
        archive.root(),
        archive.settings().zone().getId(),
        archive.settings().disorderBoundNanos(),
        "kekblog",
        "standard");
  }

  static Store storeForWriting(Archive archive, Path store) throws IOException {
    return Store.openForWriting(store, identity(archive));
  }

  /** Puts every segment that meets a range into columns. */
  static BackfillSummary backfill(Archive archive, Path storePath, TimeRange range)
      throws IOException, InterruptedException {
    return backfill(archive, storePath, range, MEMORY_BYTES, StoreFiles.LOCAL);
  }

  static BackfillSummary backfill(Archive archive, Path storePath) throws Exception {
    return backfill(archive, storePath, TimeRange.ALL);
  }

  /** Puts everything into columns, two threads, in the least memory: of many rows many blocks. */
  static BackfillSummary backfillInLittleMemory(Archive archive, Path storePath) throws Exception {
    return backfill(
        archive, storePath, TimeRange.ALL, BackfillSettings.LEAST_MEMORY_BYTES, StoreFiles.LOCAL);
  }

  private static BackfillSummary backfill(
      Archive archive, Path storePath, TimeRange range, long memoryBytes, StoreFiles files)
      throws IOException, InterruptedException {
    try (Store store = Store.openForWriting(storePath, identity(archive), files)) {
      BackfillSettings settings =
          new BackfillSettings(List.of(), range, 2, memoryBytes, 0, PROFILE);
      return new Backfill(archive, store, settings, new Quiet()).run();
    }
  }

  /** Makes several blocks of each group: a third of the milestones at a time, then the rest. */
  static void backfillInThreeSteps(Archive archive, Path storePath, StoreFiles files)
      throws IOException, InterruptedException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Group group : archive.groups()) {
      for (Pair pair : archive.pairs(group)) {
        PairLog log = pair.open();
        Milestones milestones = log.milestones();
        first = Math.min(first, milestones.nanos(0));
        last = Math.max(last, milestones.nanos(milestones.count() - 1));
      }
    }
    long third = (last - first) / 3;
    backfill(archive, storePath, new TimeRange(first, first + third), MEMORY_BYTES, files);
    backfill(archive, storePath, new TimeRange(last - third, last), MEMORY_BYTES, files);
    backfill(archive, storePath, TimeRange.ALL, MEMORY_BYTES, files);
  }

  /** Makes blocks of a few segments each: milestones are cut into ranges by chance. */
  static void backfillInSteps(Archive archive, Path storePath, int steps, SplittableRandom random)
      throws IOException, InterruptedException {
    List<Long> cuts = new ArrayList<>();
    for (Group group : archive.groups()) {
      for (Pair pair : archive.pairs(group)) {
        Milestones milestones = pair.open().milestones();
        for (int i = 0; i < milestones.count(); i++) {
          cuts.add(milestones.nanos(i));
        }
      }
    }
    for (int i = 0; i < steps && !cuts.isEmpty(); i++) {
      int cut = random.nextInt(cuts.size());
      long next = cuts.get(Math.min(cut + 1, cuts.size() - 1));
      // The middle of a segment is in no other one.
      long middle = Math.max(0, next - cuts.get(cut)) / 2;
      long from = cuts.get(cut) + (random.nextBoolean() ? middle : 0);
      long nanos = random.nextBoolean() ? 1 : TimeUnit.MINUTES.toNanos(1 + random.nextInt(60));
      backfill(archive, storePath, new TimeRange(from, from + nanos));
    }
    backfill(archive, storePath, TimeRange.ALL);
  }

  /** Merges blocks with little memory, at no pace. */
  static Block compact(Archive archive, Store store, List<Block> blocks)
      throws IOException, InterruptedException {
    return new Compaction(
            store,
            archive.settings().layouts(),
            new CompactionSettings(2, BackfillSettings.LEAST_MEMORY_BYTES, PROFILE, Pace.FREE),
            Compaction.Listener.NONE)
        .run(blocks);
  }

  /** Proves every block; what is wrong, or nothing. */
  static List<String> verify(Archive archive, Path storePath) throws Exception {
    List<String> failures = new ArrayList<>();
    try (Store store = Store.open(storePath, null)) {
      new Verify(
              archive,
              store,
              archive.settings().layouts(),
              MEMORY_BYTES,
              false,
              new Verify.Listener() {
                @Override
                public void planned(long rawBytes) {}

                @Override
                public void proved(Group group, long rawBytes) {}

                @Override
                public void sound(Block block, boolean againstLog) {}

                @Override
                public void failed(Group group, String message) {
                  failures.add(message);
                }

                @Override
                public void note(Group group, String message) {}
              })
          .run(store.groups());
    }
    return failures;
  }

  /** Hears nothing. */
  static final class Quiet implements BackfillListener {
    @Override
    public void planned(long rawBytes) {}

    @Override
    public void scanned(Group group, long rawBytes, long events) {}

    @Override
    public void committed(Block block, long storedBytes) {}

    @Override
    public void problem(Group group, String message) {}
  }
}
