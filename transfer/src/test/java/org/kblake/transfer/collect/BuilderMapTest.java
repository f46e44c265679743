package org.kblake.transfer.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Group;
import org.kblake.transfer.collect.BuilderMap.Entry;

/** A group has one builder at a time. */
class BuilderMapTest {

  private static final Duration TAKEOVER = Duration.ofSeconds(10);
  private static final Group GROUP = new Group("VA", "CCG");

  private static BuilderMap map(String... entries) {
    return new BuilderMap(Stream.of(entries).map(Entry::parse).toList(), TAKEOVER);
  }

  /** Returns who gets the group; seconds for which builders are lost, 0 if connected. */
  private static Optional<String> holder(BuilderMap map, Map<String, Long> lost) {
    List<String> holders =
        lost.keySet().stream()
            .filter(name -> nanos(lost, name) == 0)
            .filter(name -> map.gives(GROUP, name, other -> nanos(lost, other)))
            .toList();
    assertThat(holders.size()).isLessThan(2);
    return holders.stream().findAny();
  }

  private static long nanos(Map<String, Long> lost, String name) {
    return TimeUnit.SECONDS.toNanos(Objects.requireNonNull(lost.get(name)));
  }

  @Test
  void theGroupsOfALostBuilderGoToTheNextOneAfterAWhile() {
    BuilderMap map = map("a=BM/*", "b=VA/*", "c=RF/X", "c=RF/Y");
    assertThat(holder(map, Map.of("a", 0L, "b", 0L, "c", 0L))).contains("b");
    assertThat(holder(map, Map.of("a", 0L, "b", 9L, "c", 0L))).isEmpty();
    assertThat(holder(map, Map.of("a", 0L, "b", 10L, "c", 0L))).contains("c");
    assertThat(holder(map, Map.of("a", 0L, "b", 10L, "c", 3L))).contains("a");
    assertThat(holder(map, Map.of("a", 5L, "b", 10L, "c", 3L))).isEmpty();
    assertThat(holder(map("a=BM/*"), Map.of("a", 0L))).isEmpty();
  }

  @Test
  void aGroupInTwoMapsIsAnError() {
    for (String[] each :
        new String[][] {
          {"a=VA/CCG", "b=VA/CCG"},
          {"a=VA/CCG", "b=VA/*"},
          {"a=VA/*", "b=VA/CCG"},
          {"a=*", "b=RF/X"},
          {"a=RF/X", "c=VA/Y", "b=*"}
        }) {
      assertThatThrownBy(() -> map(each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("a group would have two builders: ");
    }
    assertThat(map("a=VA/CCG", "a=VA/*", "b=VAC/*", "b=V/CCG")).isNotNull();
  }

  @Test
  void entriesOfOtherFormsAreErrors() {
    for (String each :
        List.of(
            "", "a", "=VA/*", "a=", "a=VA", "a=*/x", "a=*/*", "a b=VA/*", "a=V*/x", "a=VA/c*")) {
      assertThatThrownBy(() -> Entry.parse(each)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
