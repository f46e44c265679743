package org.kblake.record.group;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.kblake.core.model.Group;

/**
 * What a listener will hear, from any thread, of groups that are recorded. It is asked and told
 * directly of those that are added.
 */
final class ListenerQueue implements GroupListener {

  private final GroupListener listener;
  private final Queue<Runnable> heard = new ConcurrentLinkedQueue<>();

  ListenerQueue(GroupListener listener) {
    this.listener = listener;
  }

  @Override
  public void gap(Group group, LogGap gap) {
    heard.add(() -> listener.gap(group, gap));
  }

  @Override
  public void notice(Group group, String line) {
    heard.add(() -> listener.notice(group, line));
  }

  @Override
  public void takesOver(Group group, boolean isSeamless, long aliveNanos) {
    heard.add(() -> listener.takesOver(group, isSeamless, aliveNanos));
  }

  @Override
  public void standsBy(Group group) {
    heard.add(() -> listener.standsBy(group));
  }

  @Override
  public void begun(Group group, long nanos) {
    heard.add(() -> listener.begun(group, nanos));
  }

  @Override
  public void ended(Group group) {
    heard.add(() -> listener.ended(group));
  }

  @Override
  public void removed(Group group) {
    heard.add(() -> listener.removed(group));
  }

  /** Tells the listener what it has not heard yet. */
  void tell() {
    for (Runnable next = heard.poll(); next != null; next = heard.poll()) {
      next.run();
    }
  }
}
