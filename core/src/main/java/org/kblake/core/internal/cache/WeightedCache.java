package org.kblake.core.internal.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map within a limit of weight: the entries that were used least recently go first. The entry
 * that was put last stays, whatever its weight. Safe for many threads.
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
   * @param limit of the weights of all entries together
   */
  public WeightedCache(long limit) {
    this.limit = limit;
  }

  /** The value of a key, which counts as used now; null if there is none. */
  public synchronized @Nullable V get(K key) {
    Weighted<V> entry = entries.get(key);
    return entry == null ? null : entry.value;
  }

  /** Puts a value, in place of the one that the key has, if any. */
  public synchronized void put(K key, V value, long ofValue) {
    Weighted<V> before = entries.put(key, new Weighted<>(value, ofValue));
    weight += ofValue - (before == null ? 0 : before.weight);
    Iterator<Weighted<V>> oldest = entries.values().iterator();
    while (weight > limit && entries.size() > 1) {
      weight -= oldest.next().weight;
      oldest.remove();
    }
  }
}
