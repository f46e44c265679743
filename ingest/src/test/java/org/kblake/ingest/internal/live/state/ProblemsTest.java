package org.kblake.ingest.internal.live.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

class ProblemsTest {

  private static final Group GROUP = new Group("VA", "CCG");

  private final List<String> messages = new ArrayList<>();
  private final Problems problems = new Problems(new Listener(), new Counters());

  @Test
  void isReportedWhenItBeginsAndWhenItIsOver() {
    problems.beginOfArchive(GROUP, "problem", "away");
    problems.beginOfArchive(GROUP, "problem", "away");
    problems.end(GROUP, "problem");
    problems.end(GROUP, "problem");
    assertThat(messages).containsExactly("begins: away", "over: away");
    assertThat(problems.messages()).isEmpty();
  }

  /** A directory that is replaced may be missing for a moment. */
  @Test
  void isOverWhenAnotherProblemReplacesIt() {
    problems.beginOfArchive(GROUP, "problem", "away");
    problems.beginOfArchive(GROUP, "problem", "no such file");
    problems.end(GROUP, "problem");
    assertThat(messages)
        .containsExactly(
            "begins: away", "over: away", "begins: no such file", "over: no such file");
  }

  private final class Listener implements FollowListener {
    @Override
    public void merged(List<Block> smaller, Block block, long storedBytes) {}

    @Override
    public void sealed(Block block, long storedBytes) {}

    @Override
    public void discarded(Block block, String why) {}

    @Override
    public void evicted(Block block, long storedBytes) {}

    @Override
    public void read(Access access) {}

    @Override
    public void refused(String what) {}

    @Override
    public void problem(Group group, String message) {
      messages.add("begins: " + message);
    }

    @Override
    public void over(Group group, String message) {
      messages.add("over: " + message);
    }
  }
}
