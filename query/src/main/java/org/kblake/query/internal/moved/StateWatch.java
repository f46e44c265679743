package org.kblake.query.internal.moved;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.Movement.Measure;

/** A state of a channel that changes in steps: a choice, a text, its connection, its severity. */
final class StateWatch {

  private static final int FIRST_STATES = 4;

  /** The states whose blocks are kept; the last one stands for all others. */
  private static final int MAX_STATES = 32;

  private final Measure measure;
  private final boolean judgesStates;
  private final boolean judgesChanges;

  /** A bit for each block of the baseline in which the state changed. */
  private int changes;

  /** A bit for each block of the baseline in which a state was set, by the state. */
  private int[] blocksOf = new int[FIRST_STATES];

  private @Nullable String last;
  private long lastNanos = Long.MIN_VALUE;
  private @Nullable Candidate moved;

  /**
   * @param judgesStates whether a change to a rare state is a movement
   * @param judgesChanges whether a change is one if changes are rare
   */
  StateWatch(Measure measure, boolean judgesStates, boolean judgesChanges) {
    this.measure = measure;
    this.judgesStates = judgesStates;
    this.judgesChanges = judgesChanges;
  }

  /**
   * Adds a state of the baseline.
   *
   * @param code the number of the state; that of a text does not matter
   */
  void add(long nanos, int code, String state, int block) {
    if (last != null && !state.equals(last)) {
      changes |= 1 << block;
    }
    if (judgesStates) {
      int at = place(code);
      if (at >= blocksOf.length) {
        blocksOf = Arrays.copyOf(blocksOf, at + 1);
      }
      blocksOf[at] |= 1 << block;
    }
    last = state;
    lastNanos = nanos;
  }

  private static int place(int code) {
    return code < 0 || code >= MAX_STATES ? MAX_STATES - 1 : code;
  }

  /** Adds a state of the window. */
  void watch(long nanos, int code, String state) {
    String before = last;
    if (before != null && !state.equals(before)) {
      change(nanos, code, state, before, lastNanos);
    }
    last = state;
    lastNanos = nanos;
  }

  /**
   * Judges a change.
   *
   * @param beforeNanos the last time at which the state before is known
   */
  void change(long nanos, int code, String state, String before, long beforeNanos) {
    int at = place(code);
    boolean rareState = judgesStates && (at >= blocksOf.length || isRare(blocksOf[at]));
    boolean rareChange = judgesChanges && isRare(changes);
    if (moved == null && (rareState || rareChange)) {
      moved = Candidate.of(measure, nanos, beforeNanos, before, state);
    }
  }

  private static boolean isRare(int blocks) {
    return Integer.bitCount(blocks) <= Habit.FORGIVEN;
  }

  /** Returns whether a state is known. */
  boolean isKnown() {
    return last != null;
  }

  @Nullable Candidate moved() {
    return moved;
  }
}
