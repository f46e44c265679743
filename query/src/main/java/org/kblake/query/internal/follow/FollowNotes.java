package org.kblake.query.internal.follow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Lines for people that wait to be taken; the first ones are dropped if nobody does. */
public final class FollowNotes implements Consumer<String> {

  private static final int MOST = 1000;

  private final Deque<String> lines = new ArrayDeque<>();

  @Override
  public void accept(String line) {
    if (lines.size() == MOST) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  public List<String> take() {
    List<String> taken = new ArrayList<>(lines);
    lines.clear();
    return taken;
  }
}
