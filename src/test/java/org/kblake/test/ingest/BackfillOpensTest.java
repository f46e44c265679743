package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.ReadWatch;
import org.kblake.test.fixture.volume.TwoVolumes;

/**
 * A backfill opens each closed pair once, for the comparison with its blocks, the plan and the scan
 * together. The index of many records takes a while to read over a network.
 */
final class BackfillOpensTest {

  @TempDir Path directory;

  private final Opens opens = new Opens();
  private Path root = Path.of("");
  private Path store = Path.of("");
  private Archive archive;
  private final List<Pair> pairs = new ArrayList<>();

  /** Counts how often each file is opened. */
  private static final class Opens implements ReadWatch {
    private final Map<Path, Integer> byFile = new ConcurrentHashMap<>();

    @Override
    public void read(Path real) {}

    @Override
    public FileChannel channel(Path real, FileChannel disk) {
      byFile.merge(real, 1, Integer::sum);
      return disk;
    }

    @Override
    public FileStore store(FileStore disk) {
      return disk;
    }
  }

  @BeforeEach
  void writeArchive() throws IOException {
    root = TwoVolumes.write(directory);
    store = directory.resolve("store");
    archive =
        Archive.unchecked(
            new GuardedProvider(root, opens).path(root), TwoVolumes.settings(), FileAccess.WAITING);
    Archive direct = Archive.open(root, TwoVolumes.settings());
    for (Group group : direct.groups()) {
      pairs.addAll(direct.pairs(group));
    }
  }

  /**
   * Returns how often a backfill opens the index of each pair. Each snapshot of a pair opens it
   * once.
   */
  private Map<String, Integer> opensByPair(TimeRange range) throws Exception {
    opens.byFile.clear();
    TestStores.backfill(archive, store, range);
    Map<String, Integer> counts = new TreeMap<>();
    for (Pair pair : pairs) {
      counts.put(pair.toString(), opens.byFile.getOrDefault(pair.indexPath(), 0));
    }
    return counts;
  }

  private Map<String, Integer> onceEach() {
    Map<String, Integer> counts = new TreeMap<>();
    pairs.forEach(pair -> counts.put(pair.toString(), 1));
    return counts;
  }

  @Test
  void opensEachPairOnce() throws Exception {
    assertThat(pairs).hasSizeGreaterThan(3);
    assertThat(opensByPair(TimeRange.ALL)).isEqualTo(onceEach());
    assertThat(TestStores.verify(archive, store)).isEmpty();
  }

  /** The blocks are compared with the pair first, and divide its plan into ranges. */
  @Test
  void opensEachPairOnceIfBlocksHoldSpansOfIt() throws Exception {
    for (Pair pair : pairs) {
      Milestones milestones = pair.open().milestones();
      for (int i = 1; i < milestones.count(); i += 4) {
        long nanos = milestones.nanos(i);
        TestStores.backfill(archive, store, new TimeRange(nanos, nanos + 1));
      }
    }
    assertThat(opensByPair(TimeRange.ALL)).isEqualTo(onceEach());
    assertThat(opensByPair(TimeRange.ALL)).as("nothing left to do").isEqualTo(onceEach());
    assertThat(TestStores.verify(archive, store)).isEmpty();
  }

  /** A pair that may grow can be longer at its scan than at its plan. */
  @Test
  void opensPairsThatMayGrowAgain() throws Exception {
    Pair last = pairs.get(pairs.size() - 1);
    FileTime now = FileTime.from(Instant.now());
    Files.setLastModifiedTime(last.indexPath(), now);
    Files.setLastModifiedTime(last.logPath(), now);
    Map<String, Integer> counts = opensByPair(TimeRange.ALL);
    assertThat(counts.remove(last.toString())).isGreaterThan(1);
    Map<String, Integer> others = onceEach();
    others.remove(last.toString());
    assertThat(counts).isEqualTo(others);
  }
}
