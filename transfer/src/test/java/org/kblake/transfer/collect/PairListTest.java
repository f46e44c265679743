package org.kblake.transfer.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;
import org.kblake.transfer.fixture.TestDisk;

/** What is listed, and that nothing is listed without need. */
class PairListTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final Group OTHER = new Group("VA", "IPump");

  @TempDir Path root;

  private final List<String> notes = new ArrayList<>();

  @Test
  void onlyGroupsWithANewPairChange() throws Exception {
    PairList list = new PairList(root, notes::add);
    Path system = Files.createDirectory(root.resolve("VA"));
    make(system, "CCG_20260101000001.log2");
    make(system, "CCG_20260101000001.log1");
    make(system, "CCG_20260101000000.log1");
    make(system, "CCG_20261301000000.log1");
    make(system, "IPump_20260101000000.log2");
    await(list);
    assertThat(list.pairs(GROUP)).containsExactly(20260101000000L, 20260101000001L);
    long[] of = list.pairs(GROUP);
    long[] ofOther = list.pairs(OTHER);
    make(system, "IPump_20260101000009.log2");
    await(list);
    assertThat(list.pairs(GROUP)).isSameAs(of);
    assertThat(list.pairs(OTHER)).isNotSameAs(ofOther).hasSize(2);
    Files.delete(system.resolve("CCG_20260101000000.log1"));
    await(list);
    assertThat(list.pairs(GROUP)).containsExactly(20260101000001L);
    assertThat(notes).isEmpty();
  }

  @Test
  void aDirectoryWhoseTimeIsOldIsNotListed() throws Exception {
    Path system = Files.createDirectory(root.resolve("VA"));
    make(system, "CCG_20260101000000.log2");
    FileTime old = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    Files.setLastModifiedTime(system, old);
    PairList list = new PairList(root, notes::add);
    await(list);
    make(system, "CCG_20260101000001.log2");
    Files.setLastModifiedTime(system, old);
    Thread.sleep(1_100);
    assertThat(list.look()).isFalse();
    assertThat(list.pairs(GROUP)).hasSize(1);
  }

  /** A file that is made while a directory is listed, within the tick of its time. */
  @Test
  void aSlowListingIsRepeated() throws Exception {
    Path system = Files.createDirectory(root.resolve("VA"));
    make(system, "CCG_20260101000000.log2");
    FileTime time = Files.getLastModifiedTime(system);
    TestDisk slow =
        new TestDisk(
            (operation, real) -> {
              if (operation == TestDisk.Operation.LIST && real.endsWith("VA")) {
                LockSupport.parkNanos(100_000_000);
              }
            });
    PairList list = new PairList(slow.path(root), notes::add);
    await(list);
    make(system, "CCG_20260101000001.log2");
    Files.setLastModifiedTime(system, time);
    await(list);
    assertThat(list.pairs(GROUP)).hasSize(2);
  }

  private static void make(Path system, String file) throws IOException {
    Files.createFile(system.resolve(file));
  }

  private static void await(PairList list) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!list.look()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(2);
    }
  }
}
