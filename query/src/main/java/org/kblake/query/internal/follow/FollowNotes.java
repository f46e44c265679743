package org.kblake.query.internal.follow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Notes until the caller takes them. If there are too many, the oldest are dropped. */
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
