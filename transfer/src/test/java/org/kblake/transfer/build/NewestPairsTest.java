package org.kblake.transfer.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;

/** The newest pairs, of a directory that is listed once for all groups. */
class NewestPairsTest {

  private static final FileTime OLD = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

  @TempDir Path directory;

  @Test
  void theNewestPairsOfEachGroupAreFound() throws Exception {
    for (int i = 0; i < 100; i++) {
      Files.createFile(
          directory.resolve("CCG_202601010%05d.log2".formatted(i / 60 * 100 + i % 60)));
    }
    Files.createFile(directory.resolve("CCG_20260101000139.log1"));
    Files.createFile(directory.resolve("CCG_20261301000000.log1"));
    Files.createFile(directory.resolve("CCG_A_20260101000000.log1"));
    NewestPairs newest = new NewestPairs();
    assertThat(newest.of(new Group("VA", "CCG"), directory))
        .hasSize(64)
        .endsWith(20260101000138L, 20260101000139L);
    assertThat(newest.of(new Group("VA", "CCG_A"), directory)).containsExactly(20260101000000L);
    assertThat(newest.of(new Group("VA", "IPump"), directory)).isEmpty();
  }

  @Test
  void aDirectoryIsListedAgainOnlyIfItsTimeChanges() throws Exception {
    Group group = new Group("VA", "CCG");
    NewestPairs newest = new NewestPairs();
    Files.setLastModifiedTime(directory, OLD);
    assertThat(newest.of(group, directory)).isEmpty();
    Files.createFile(directory.resolve("CCG_20260101000000.log2"));
    Files.setLastModifiedTime(directory, OLD);
    assertThat(newest.of(group, directory)).isEmpty();
    Files.createFile(directory.resolve("CCG_20260101000001.log2"));
    assertThat(newest.of(group, directory)).hasSize(2);
    Files.createFile(directory.resolve("CCG_20260101000002.log2"));
    assertThat(newest.of(group, directory)).hasSize(3);
  }

  /** Groups that are taken make files while others are asked for. */
  @Test
  void aDirectoryThatChangesIsListedOnceForAllItsGroups() throws Exception {
    Group other = new Group("VA", "IPump");
    NewestPairs newest = new NewestPairs();
    assertThat(newest.of(new Group("VA", "CCG"), directory)).isEmpty();
    Files.createFile(directory.resolve("IPump_20260101000000.log2"));
    assertThat(newest.of(other, directory)).as("of the listing before").isEmpty();
    assertThat(newest.of(other, directory)).hasSize(1);
  }
}
