package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.CollectorStatus;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.collect.BuilderMap.Entry;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.GrowingLogs;
import org.kblake.transfer.fixture.Trees;

/** Collectors that give the same groups, each by a map of its own. */
@Timeout(180)
@SuppressWarnings("try") // collectors and builders work while they are open
class SharedGroupsTest {

  @TempDir Path directory;

  private final Ends ends = new Ends();
  private Path source = Path.of("");
  private Path target = Path.of("");
  private Path other = Path.of("");

  @BeforeEach
  void makeRoots() throws IOException {
    source = Files.createDirectory(directory.resolve("source"));
    target = Files.createDirectory(directory.resolve("target"));
    other = Files.createDirectory(directory.resolve("other"));
  }

  private static BuilderMap map(String entry) {
    return new BuilderMap(List.of(Entry.parse(entry)), Duration.ofSeconds(10));
  }

  @Test
  void mapsThatDifferGiveAGroupToTwoBuildersEachOfWhichHasAllOnce() throws Exception {
    try (GrowingLogs logs = new GrowingLogs(source, 5);
        Collector first = ends.collector(source, map("b1=*"));
        Collector second = ends.collector(source, map("b2=*"));
        Gatherer one = ends.builder(target, "b1", first.address(), second.address());
        Gatherer two = ends.builder(other, "b2", first.address(), second.address())) {
      grow(logs);
      ends.await("all", () -> Trees.areSame(source, target) && Trees.areSame(source, other));
      assertThat(one.writtenBytes()).isEqualTo(bytes());
      assertThat(two.writtenBytes()).isEqualTo(bytes());
    }
  }

  @Test
  void ofTwoCollectorsOfOneBuilderTheSecondContinuesWhenTheFirstIsGone() throws Exception {
    try (GrowingLogs logs = new GrowingLogs(source, 6);
        Collector first = ends.collector(source, map("b=*"));
        Collector second = ends.collector(source, map("b=*"));
        Gatherer builder = ends.builder(target, "b", first.address(), second.address())) {
      grow(logs);
      ends.await("all", () -> Trees.areSame(source, target));
      ends.await("denials", () -> failed(builder) == GrowingLogs.GROUPS.size());
      assertThat(builder.writtenBytes()).isEqualTo(bytes());
      first.close();
      grow(logs);
      ends.await("all", () -> Trees.areSame(source, target));
      assertThat(builder.writtenBytes()).isEqualTo(bytes());
      assertThat(ends.said("two collectors have the group: group=VA/CCG")).isTrue();
    }
  }

  private static int failed(Gatherer builder) {
    return builder.status().stream()
        .map(CollectorStatus::failed)
        .mapToInt(each -> each.size())
        .sum();
  }

  private long bytes() throws IOException {
    return Trees.sizes(source).values().stream().mapToLong(Long::longValue).sum();
  }

  private static void grow(GrowingLogs logs) throws IOException {
    for (int i = 0; i < 100; i++) {
      logs.grow();
    }
  }
}
