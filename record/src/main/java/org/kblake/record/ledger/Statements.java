package org.kblake.record.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.kblake.core.model.Group;

/**
 * Statements that are not written yet. Those of one kind that are added before the same {@link
 * #gather} become one. If too many wait, all of one kind become one, so that no count is lost.
 */
final class Statements {

  private final int most;
  private final long offsetNanos;
  private final Map<Statement.Kind, Statement> added = new LinkedHashMap<>();
  private List<Statement> waiting = new ArrayList<>();

  /**
   * @param most the largest number of statements that wait, except one of each kind
   * @param offsetNanos how far an event's time may be from its reception
   */
  Statements(int most, long offsetNanos) {
    this.most = most;
    this.offsetNanos = offsetNanos;
  }

  /** Adds a statement whose times are those of reception. */
  void addReceived(Statement statement) {
    add(statement.widened(offsetNanos));
  }

  void add(Statement statement) {
    added.merge(statement.kind(), statement, Statement::and);
  }

  /** Lets what was added wait for {@link #take}. */
  void gather() {
    waiting.addAll(added.values());
    added.clear();
    if (waiting.size() > most) {
      waiting.forEach(this::add);
      waiting = new ArrayList<>(added.values());
      added.clear();
    }
  }

  /** Returns the statements about groups whose statements can be written, and forgets them. */
  Collection<Statement> take(Predicate<Group> canWrite) {
    List<Statement> taken = new ArrayList<>();
    List<Statement> left = new ArrayList<>();
    waiting.forEach(each -> (canWrite.test(each.group()) ? taken : left).add(each));
    waiting = left;
    return taken;
  }

  /** Forgets what a group lost between two times, nanoseconds since 1970 UTC. */
  void forget(Group group, long fromNanos, long toNanos) {
    Predicate<Statement> isBetween =
        each ->
            each.group().equals(group) && each.fromNanos() >= fromNanos && each.toNanos() < toNanos;
    waiting.removeIf(isBetween);
    added.values().removeIf(isBetween);
  }

  /** Returns the number of statements that wait. */
  int size() {
    return waiting.size();
  }
}
