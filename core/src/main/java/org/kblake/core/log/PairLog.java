package org.kblake.core.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.attribute.FileTime;
import java.util.List;

/**
 * What the two files of a pair said at one moment. Never changes, holds no file open, safe for many
 * threads. What it hands out reads the log up to what was there at that moment.
 */
public final class PairLog {

  private final Pair pair;
  private final IndexFile index;
  private final EventRules rules;
  private final Milestones milestones;
  private final long milestoneIntervalNanos;
  private final LogFacts facts;
  private final List<Damage> indexDamage;

  PairLog(
      Pair pair,
      IndexFile index,
      EventRules rules,
      Milestones milestones,
      long milestoneIntervalNanos,
      LogFacts facts,
      List<Damage> indexDamage) {
    this.pair = pair;
    this.index = index;
    this.rules = rules;
    this.milestones = milestones;
    this.milestoneIntervalNanos = milestoneIntervalNanos;
    this.facts = facts;
    this.indexDamage = indexDamage;
  }

  public Pair pair() {
    return pair;
  }

  public LogLayout layout() {
    return index.layout();
  }

  public ByteOrder order() {
    return index.order();
  }

  public RecordTable records() {
    return index.records();
  }

  /** The milestones that the index knows. */
  public Milestones milestones() {
    return milestones;
  }

  /** The median of the intervals between milestones; one hour where the index has but one. */
  public long milestoneIntervalNanos() {
    return milestoneIntervalNanos;
  }

  /** Whether nothing will be appended any more. */
  public boolean closed() {
    return facts.closed();
  }

  /** Whether this is the group's newest pair and it still grows: its last segment has no end. */
  public boolean growing() {
    return !facts.closed() && pair.nextStamp() == null;
  }

  /** Size of the log. */
  public long logBytes() {
    return facts.logBytes();
  }

  /** When the log was last changed. */
  public FileTime logModified() {
    return facts.logModified();
  }

  /** When the index was last changed. */
  public FileTime indexModified() {
    return facts.indexModified();
  }

  /** The bytes of the whole index, read-only, in the pair's byte order. */
  public ByteBuffer indexBytes() {
    return index.bytes().asReadOnlyBuffer().order(index.order()).position(0);
  }

  /** Entries of the index that are ignored, and why. */
  public List<Damage> indexDamage() {
    return indexDamage;
  }

  LogFacts facts() {
    return facts;
  }

  EventRules rules() {
    return rules;
  }
}
