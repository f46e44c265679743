package org.kblake.query.internal.moved;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.kblake.query.answer.Movement;

/**
 * A movement with the disorder of its group's log.
 *
 * @param disorderNanos onsets that differ by no more are not told apart
 */
public record RankedMovement(Movement movement, long disorderNanos) {

  private static final Comparator<RankedMovement> BY_ONSET =
      Comparator.comparingLong((RankedMovement each) -> each.movement.onsetNanos())
          .thenComparing(each -> each.movement.channel());

  private static final Comparator<Movement> BY_SIZE =
      Comparator.comparingDouble((Movement each) -> -each.z())
          .thenComparingLong(Movement::onsetNanos)
          .thenComparing(Movement::channel);

  /** Returns the movements in the order of the answer. */
  public static List<Movement> sort(List<RankedMovement> movements) {
    List<RankedMovement> left = new ArrayList<>(movements);
    left.sort(BY_ONSET);
    List<Movement> sorted = new ArrayList<>();
    List<Movement> tied = new ArrayList<>();
    long leaderNanos = 0;
    for (RankedMovement each : left) {
      boolean ties =
          !tied.isEmpty() && each.movement.onsetNanos() - leaderNanos <= each.disorderNanos;
      if (!ties) {
        flush(tied, sorted);
        leaderNanos = each.movement.onsetNanos();
      }
      tied.add(each.movement);
    }
    flush(tied, sorted);
    return sorted;
  }

  private static void flush(List<Movement> tied, List<Movement> sorted) {
    tied.sort(BY_SIZE);
    sorted.addAll(tied);
    tied.clear();
  }
}
