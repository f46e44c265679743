package org.kblake.lake;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.kblake.format.argument.ByteSize;
import org.kblake.lake.publish.PublishListener;

/**
 * The messages of rounds of publishing. A problem is reported when it begins, and again if it comes
 * back after a round without it.
 */
final class FollowRound implements PublishListener {

  private final Consumer<String> notes;
  private final Consumer<String> reports;
  private Set<String> before = new HashSet<>();
  private Set<String> present = new HashSet<>();
  private int problems;

  /**
   * @param notes gets a line on each snapshot
   * @param reports gets a line on each problem
   */
  FollowRound(Consumer<String> notes, Consumer<String> reports) {
    this.notes = notes;
    this.reports = reports;
  }

  /** Begins a round. */
  void begin() {
    before = present;
    present = new HashSet<>();
  }

  /** Returns the number of problems so far. */
  int problems() {
    return problems;
  }

  @Override
  public void read(long bytes) {}

  @Override
  public void committed(String table, int added, int removed, long addedBytes) {
    notes.accept(
        table
            + ": data files added="
            + added
            + ", replaced="
            + removed
            + ", bytes="
            + new ByteSize(addedBytes));
  }

  @Override
  public void problem(String message) {
    problems++;
    if (present.add(message) && !before.contains(message)) {
      reports.accept(message);
    }
  }
}
