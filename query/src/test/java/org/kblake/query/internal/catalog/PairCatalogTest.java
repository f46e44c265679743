package org.kblake.query.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.SettledDirectories;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.question.Source;

/** Directories that have not changed for long are not listed again. Every change is noticed. */
@EnabledOnOs(OS.LINUX)
final class PairCatalogTest {

  private static final Group GROUP = Group.parse("VA/CCG");

  @TempDir private Path root;

  private Path directory = Path.of("unset");
  private PairCatalog catalog = settled(Path.of("unset"));

  private static PairCatalog settled(Path root) {
    MirrorAccess access = new MirrorAccess(null);
    return new PairCatalog(
        Archive.unchecked(root, ArchiveSettings.defaults(), access),
        null,
        null,
        access,
        new SettledDirectories(() -> Instant.now().plusSeconds(3_600)));
  }

  @BeforeEach
  void make() throws IOException {
    directory = Files.createDirectory(root.resolve(GROUP.system()));
    catalog = settled(root);
    add("20160516000000");
  }

  private void add(String stamp) throws IOException {
    Files.createFile(directory.resolve("CCG_" + stamp + ".log1"));
    waitForATick();
  }

  /** Waits until the file system's clock advances, which may take some milliseconds. */
  private void waitForATick() throws IOException {
    Object before = Files.getAttribute(directory, "unix:ctime");
    Path other = directory.resolve("other");
    while (Files.getAttribute(directory, "unix:ctime").equals(before)) {
      Files.createFile(other);
      Files.delete(other);
    }
  }

  private List<PairSlot> pairs() throws IOException {
    return catalog.of(GROUP, Source.AUTO, TimeRange.ALL).pairs();
  }

  private List<String> stamps() throws IOException {
    return pairs().stream().map(PairSlot::stamp).toList();
  }

  @Test
  void keepsPairsOfAnUnchangedDirectory() throws IOException {
    assertThat(pairs()).hasSize(1).isSameAs(pairs());
  }

  @Test
  void noticesNewAndRemovedPairs() throws IOException {
    assertThat(stamps()).containsExactly("20160516000000");
    add("20160517000000");
    assertThat(stamps()).containsExactly("20160516000000", "20160517000000");
    assertThat(pairs().get(0).endNanos()).isEqualTo(pairs().get(1).beginNanos());
    Files.delete(directory.resolve("CCG_20160516000000.log1"));
    waitForATick();
    assertThat(stamps()).containsExactly("20160517000000");
  }

  @Test
  void noticesAnotherDirectory() throws IOException {
    assertThat(stamps()).containsExactly("20160516000000");
    Files.move(directory, root.resolve("before"));
    Files.createDirectory(directory);
    add("20160518000000");
    assertThat(stamps()).containsExactly("20160518000000");
  }

  @Test
  void reportsPairsWithoutAValidTimeEachTime() throws IOException {
    add("20161399000000");
    for (int i = 0; i < 2; i++) {
      assertThat(catalog.of(GROUP, Source.AUTO, TimeRange.ALL).problems())
          .singleElement()
          .asString()
          .contains("20161399000000");
    }
  }
}
