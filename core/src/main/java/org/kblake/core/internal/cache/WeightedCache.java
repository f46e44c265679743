package org.kblake.core.internal.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map with a limit on the sum of its entries' weights. The entries that were used least recently
 * are removed first. The entry that was put last is kept, whatever its weight. Safe for many
 * threads.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class WeightedCache<K, V> {

  private final long limit;
  private final Map<K, Weighted<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long weight;

  private record Weighted<V>(V value, long weight) {}

  /**
   * @param limit the largest sum of the weights of all entries
   */
  public WeightedCache(long limit) {
    this.limit = limit;
  }

  /**
   * Returns the value of a key, and marks its entry as used now. Returns null if the key has no
   * value.
   */
  public synchronized @Nullable V get(K key) {
    Weighted<V> entry = entries.get(key);
    return entry == null ? null : entry.value;
  }

  /** Puts a value with its weight. It replaces the key's previous value, if any. */
  public synchronized void put(K key, V value, long valueWeight) {
    Weighted<V> before = entries.put(key, new Weighted<>(value, valueWeight));
    weight += valueWeight - (before == null ? 0 : before.weight);
    Iterator<Weighted<V>> oldest = entries.values().iterator();
    while (weight > limit && entries.size() > 1) {
      weight -= oldest.next().weight;
      oldest.remove();
    }
  }
}
