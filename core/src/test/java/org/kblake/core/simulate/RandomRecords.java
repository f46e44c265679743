package org.kblake.core.simulate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.ValueType;

/** Record tables: of all types, with ids that mean nothing, and how they change between pairs. */
final class RandomRecords {

  private static final int MOST_RECORDS = 24;
  private static final int NAMES = 60;

  private RandomRecords() {}

  static RecordTable first(SplitMix random) {
    List<RecordEntry> entries = new ArrayList<>();
    int size = random.chance(0.02) ? 0 : random.between(1, MOST_RECORDS);
    for (int i = 0; i < size; i++) {
      add(entries, random);
    }
    return new RecordTable(withIds(entries, random));
  }

  /** Some records go, some come, some change type or count, and the order and ids may change. */
  static RecordTable changed(RecordTable before, SplitMix random) {
    List<RecordEntry> entries = new ArrayList<>();
    for (RecordEntry entry : before.entries()) {
      if (random.chance(0.85)) {
        entries.add(random.chance(0.2) ? entry(entry.name(), random) : entry);
      }
    }
    int more = random.below(4);
    for (int i = 0; i < more; i++) {
      add(entries, random);
    }
    if (random.chance(0.5)) {
      for (int i = entries.size() - 1; i > 0; i--) {
        int other = random.below(i + 1);
        RecordEntry entry = entries.get(i);
        entries.set(i, entries.get(other));
        entries.set(other, entry);
      }
    }
    return new RecordTable(
        random.chance(0.5) ? withIds(entries, random) : distinct(entries, random));
  }

  private static void add(List<RecordEntry> entries, SplitMix random) {
    String name = "GR" + random.below(5) + ":D" + random.below(NAMES) + ":VALUE";
    if (entries.stream().noneMatch(entry -> entry.name().equals(name))) {
      entries.add(entry(name, random));
    }
  }

  private static RecordEntry entry(String name, SplitMix random) {
    ValueType type = ValueType.of(random.below(ValueType.count()));
    int count = 1;
    if (random.chance(0.3)) {
      count = random.chance(0.1) ? random.between(500, 3000) : random.between(2, 40);
    }
    return new RecordEntry(0, name, type, count);
  }

  private static List<RecordEntry> withIds(List<RecordEntry> entries, SplitMix random) {
    boolean dense = random.chance(0.6);
    int next = dense ? random.below(3) : 0;
    Set<Integer> used = new HashSet<>();
    List<RecordEntry> numbered = new ArrayList<>();
    for (RecordEntry entry : entries) {
      int id = dense ? next++ : (int) (random.next() >>> 33);
      while (!used.add(id)) {
        id = (id + 1) & Integer.MAX_VALUE;
      }
      numbered.add(numbered(entry, id));
    }
    return numbered;
  }

  /** Keeps ids where that is possible. */
  private static List<RecordEntry> distinct(List<RecordEntry> entries, SplitMix random) {
    Set<Integer> used = new HashSet<>();
    List<RecordEntry> numbered = new ArrayList<>();
    for (RecordEntry entry : entries) {
      int id = entry.id();
      while (!used.add(id)) {
        id = random.below(1000);
      }
      numbered.add(numbered(entry, id));
    }
    return numbered;
  }

  private static RecordEntry numbered(RecordEntry entry, int id) {
    return new RecordEntry(id, entry.name(), entry.type(), entry.elementCount());
  }
}
