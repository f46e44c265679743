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
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.scan.PairFormat;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.Coverage;
import org.kblake.core.internal.store.block.LogSpan;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.layout.RecordEntry;
import org.kblake.lake.table.DataName;

/**
 * The facts of a group after blocks were published. Facts of a block that the store has are those
 * of the block. Facts of other spans of the log stay. Only new blocks are read.
 */
public final class FactsUpdate {

  private final GroupFacts old;
  private final List<Block> blocks;
  private final long boundNanos;
  private final List<PublishedSpan> publishedSpans = new ArrayList<>();
  private final SortedMap<String, String> tables = new TreeMap<>();
  private final SortedMap<String, List<GroupFacts.Recorded>> records = new TreeMap<>();

  private FactsUpdate(GroupFacts old, List<Block> blocks, long boundNanos) {
    this.old = old;
    this.blocks = blocks;
    this.boundNanos = boundNanos;
  }

  /**
   * Returns the new facts. They equal the old ones if nothing changed.
   *
   * @param blocks the group's published blocks that the store has, which share no byte of the log
   * @param listed the stamps of the pairs that the archive shows; empty if it cannot be read
   */
  public static GroupFacts of(
      GroupFacts old, StoreIdentity store, List<Block> blocks, Set<String> listed)
      throws IOException {
    FactsUpdate update = new FactsUpdate(old, blocks, store.disorderBoundNanos());
    update.addSpans();
    update.publishedSpans.sort(Comparator.comparing(published -> published.logSpan().from()));
    GroupFacts facts =
        new GroupFacts(
            1,
            old.sha256(),
            store.archive(),
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

  /** Returns a span of the log as a block has it. */
  public static PublishedSpan spanOf(PublishedSpan published, Block block, StoreIdentity store)
      throws IOException {
    int span = 0;
    while (!block.spans().get(span).contains(published.logSpan())) {
      span++;
    }
    return PublishedSpanReader.read(
        block, span, published.logSpan(), block.pairs().get(span), store.disorderBoundNanos());
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
    Coverage ofBlocks = Coverage.of(blocks);
    List<LogSpan> carried = new ArrayList<>();
    for (PublishedSpan published : old.parts()) {
      if (!present.contains(published.block())
          && !ofBlocks.holds(published.pair(), published.from(), published.to())) {
        publishedSpans.add(published);
        carried.add(published.logSpan());
      }
    }
    Coverage ofCarried = new Coverage(carried);
    for (Block block : blocks) {
      List<PublishedSpan> before = known.getOrDefault(DataName.block(block), List.of());
      if (isWhole(block, before, carried)) {
        publishedSpans.addAll(before);
      } else {
        read(block, ofCarried);
      }
    }
  }

  /** Returns whether spans, and others that stay, have all of a block, each byte once. */
  private static boolean isWhole(Block block, List<PublishedSpan> before, List<LogSpan> carried) {
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

  private void read(Block block, Coverage carried) throws IOException {
    List<PairImage> images = block.pairs();
    for (int i = 0; i < block.spans().size(); i++) {
      LogSpan span = block.spans().get(i);
      PairImage image = images.get(i);
      for (LogSpan lacking : carried.lacking(span)) {
        publishedSpans.add(PublishedSpanReader.read(block, i, lacking, image, boundNanos));
      }
      List<GroupFacts.Recorded> table = new ArrayList<>();
      for (RecordEntry entry :
          PairFormat.decode(
                  block.directory(), image.indexHead(), ArchiveSettings.defaults().layouts())
              .records()
              .entries()) {
        table.add(new GroupFacts.Recorded(entry.name(), entry.type(), entry.elementCount()));
      }
      String name = names.computeIfAbsent(table, this::nameOf);
      tables.put(span.stamp(), name);
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
    for (Block block : blocks) {
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
