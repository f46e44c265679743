package org.kblake.lake.facts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.store.StoredBlock;
import org.kblake.core.store.StoredPair;
import org.kblake.lake.table.DataName;

/**
 * The facts of a group after blocks were published. Facts of a block that the store has are those
 * of the block. Facts of other spans of the log stay. Only new blocks are read.
 */
public final class FactsUpdate {

  private final GroupFacts old;
  private final List<StoredBlock> blocks;
  private final List<PublishedSpan> publishedSpans = new ArrayList<>();
  private final SortedMap<String, String> tables = new TreeMap<>();
  private final SortedMap<String, List<GroupFacts.Recorded>> records = new TreeMap<>();

  private FactsUpdate(GroupFacts old, List<StoredBlock> blocks) {
    this.old = old;
    this.blocks = blocks;
  }

  /**
   * Returns the new facts. They equal the old ones if nothing changed.
   *
   * @param archive the archive's root as the store names it
   * @param blocks the group's published blocks that the store has, which share no byte of the log
   * @param listed the stamps of the pairs that the archive shows; empty if it cannot be read
   */
  public static GroupFacts of(
      GroupFacts old, String archive, List<StoredBlock> blocks, Set<String> listed)
      throws IOException {
    FactsUpdate update = new FactsUpdate(old, blocks);
    update.addSpans();
    update.publishedSpans.sort(Comparator.comparing(published -> published.logSpan().from()));
    GroupFacts facts =
        new GroupFacts(
            1,
            old.sha256(),
            archive,
            old.group(),
            update.publishedSpans,
            new TreeMap<>(),
            update.tables,
            update.records);
    facts.next().putAll(update.next(facts.pairs(), listed));
    update.tables.keySet().retainAll(facts.pairs());
    update.records.keySet().retainAll(new HashSet<>(update.tables.values()));
    return facts;
  }

  private void addSpans() throws IOException {
    tables.putAll(old.tables());
    records.putAll(old.records());
    Map<String, List<PublishedSpan>> known = new LinkedHashMap<>();
    old.parts()
        .forEach(
            published ->
                known.computeIfAbsent(published.block(), any -> new ArrayList<>()).add(published));
    Set<String> present = new HashSet<>();
    blocks.forEach(block -> present.add(DataName.block(block)));
    Coverage ofBlocks =
        new Coverage(blocks.stream().flatMap(block -> block.spans().stream()).toList());
    List<LogSpan> carried = new ArrayList<>();
    for (PublishedSpan published : old.parts()) {
      if (!present.contains(published.block())
          && !ofBlocks.holds(published.pair(), published.from(), published.to())) {
        publishedSpans.add(published);
        carried.add(published.logSpan());
      }
    }
    Coverage ofCarried = new Coverage(carried);
    for (StoredBlock block : blocks) {
      List<PublishedSpan> before = known.getOrDefault(DataName.block(block), List.of());
      if (isWhole(block, before, carried)) {
        publishedSpans.addAll(before);
      } else {
        read(block, ofCarried);
      }
    }
  }

  /** Returns whether spans, and others that stay, have all of a block, each byte once. */
  private static boolean isWhole(
      StoredBlock block, List<PublishedSpan> before, List<LogSpan> carried) {
    if (before.isEmpty()
        || before.stream()
            .anyMatch(published -> carried.stream().anyMatch(published.logSpan()::meets))) {
      return false;
    }
    List<LogSpan> all = new ArrayList<>(carried);
    before.forEach(published -> all.add(published.logSpan()));
    Coverage coverage = new Coverage(all);
    return block.spans().stream()
        .allMatch(each -> coverage.holds(each.stamp(), each.fromOffset(), each.toOffset()));
  }

  private void read(StoredBlock block, Coverage carried) throws IOException {
    for (StoredPair pair : block.pairs()) {
      for (LogSpan lacking : carried.lacking(pair.span())) {
        publishedSpans.add(PublishedSpanReader.read(block, pair, lacking));
      }
      List<GroupFacts.Recorded> table = new ArrayList<>();
      for (RecordEntry entry : pair.records().entries()) {
        table.add(new GroupFacts.Recorded(entry.name(), entry.type(), entry.elementCount()));
      }
      String name = names.computeIfAbsent(table, this::nameOf);
      tables.put(pair.span().stamp(), name);
      records.put(name, table);
    }
  }

  /** The names of record tables that were read. */
  private final Map<List<GroupFacts.Recorded>, String> names = new HashMap<>();

  /** Returns the name of a record table: that of an equal one, or the next number. */
  private String nameOf(List<GroupFacts.Recorded> table) {
    for (Map.Entry<String, List<GroupFacts.Recorded>> entry : records.entrySet()) {
      if (entry.getValue().equals(table)) {
        return entry.getKey();
      }
    }
    int number = records.size();
    while (records.containsKey(Integer.toString(number))) {
      number++;
    }
    return Integer.toString(number);
  }

  /**
   * Returns the pair after each pair. The archive tells it. Otherwise a block that has both tells
   * it, or it was known before, and no other pair was found between them since.
   */
  private Map<String, String> next(List<String> pairs, Set<String> listed) {
    TreeSet<String> all = new TreeSet<>(pairs);
    all.addAll(listed);
    Map<String, String> next = new TreeMap<>();
    Map<String, String> said = new HashMap<>(old.next());
    for (StoredBlock block : blocks) {
      for (int i = 1; i < block.spans().size(); i++) {
        said.put(block.spans().get(i - 1).stamp(), block.spans().get(i).stamp());
      }
    }
    for (String pair : pairs) {
      String higher = all.higher(pair);
      boolean isListed = listed.contains(pair) && listed.contains(higher == null ? "" : higher);
      if (higher != null && (isListed || higher.equals(said.get(pair)))) {
        next.put(pair, higher);
      }
    }
    return next;
  }
}
