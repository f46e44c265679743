package org.kblake.core.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WeightedCacheTest {

  private final WeightedCache<String, Integer> cache = new WeightedCache<>(10);

  @Test
  void dropsTheLeastRecentlyUsedEntry() {
    cache.put("a", 1, 4);
    cache.put("b", 2, 4);
    assertThat(cache.get("a")).isEqualTo(1);
    cache.put("c", 3, 4);
    assertThat(cache.get("b")).isNull();
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("c")).isEqualTo(3);
  }

  @Test
  void keepsAllUpToTheLimit() {
    cache.put("a", 1, 4);
    cache.put("b", 2, 6);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("b")).isEqualTo(2);
  }

  /** An entry that is larger than the limit is kept, so that the next question can use it. */
  @Test
  void keepsAnEntryAboveTheLimitUntilTheNextOne() {
    cache.put("a", 1, 4);
    cache.put("b", 2, 11);
    assertThat(cache.get("a")).isNull();
    assertThat(cache.get("b")).isEqualTo(2);
    cache.put("c", 3, 1);
    assertThat(cache.get("b")).isNull();
    assertThat(cache.get("c")).isEqualTo(3);
  }

  /** Otherwise the weight of replaced values would add up. */
  @Test
  void countsTheWeightOfTheNewValueOnly() {
    cache.put("a", 1, 9);
    cache.put("a", 2, 1);
    cache.put("b", 3, 9);
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.get("b")).isEqualTo(3);
    cache.put("a", 4, 2);
    assertThat(cache.get("b")).isNull();
    assertThat(cache.get("a")).isEqualTo(4);
  }
}
