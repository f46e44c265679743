package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SearchQueueTest {

  private static final long MILLI = 1_000_000;

  private final SearchQueue queue = new SearchQueue(3000 * MILLI);

  /** Searches all that is due, and returns the names. */
  private List<String> search(long nowMillis) {
    List<String> names = new ArrayList<>();
    ClientChannel channel = queue.peek(nowMillis * MILLI);
    while (channel != null) {
      names.add(channel.name());
      queue.searched(nowMillis * MILLI);
      channel = queue.peek(nowMillis * MILLI);
    }
    return names;
  }

  @Test
  void timeBetweenSearchesDoublesUpToTheLongest() {
    queue.add(new ClientChannel(0, "A"), 0);
    List<Long> times = new ArrayList<>();
    for (long millis = 0; millis <= 12_000; millis += 50) {
      if (!search(millis).isEmpty()) {
        times.add(millis);
      }
    }
    assertThat(times).containsExactly(0L, 250L, 750L, 1750L, 3750L, 6750L, 9750L);
    assertThat(queue.dueNanos()).isEqualTo(12_750 * MILLI);
  }

  @Test
  void channelWhoseSearchIsDueForLongestIsFirst() {
    ClientChannel first = new ClientChannel(0, "A");
    queue.add(first, 0);
    assertThat(search(0)).containsExactly("A");
    queue.add(new ClientChannel(1, "B"), 260 * MILLI);
    queue.add(new ClientChannel(2, "C"), 240 * MILLI + 1);
    // A has been due since 250 ms. B and C are in the order in which they were added.
    assertThat(search(300)).containsExactly("A", "B", "C");
  }

  @Test
  void channelThatIsFoundIsSearchedNoMore() {
    ClientChannel channel = new ClientChannel(0, "A");
    queue.add(channel, 0);
    assertThat(search(0)).hasSize(1);
    channel.release(ClientChannel.Stage.CLOSED);
    assertThat(search(100_000)).isEmpty();
    assertThat(queue.dueNanos()).isEqualTo(Long.MAX_VALUE);
  }

  /** Its old entry is still in the queue. */
  @Test
  void channelThatIsLostSoonIsInTheQueueOnce() {
    ClientChannel channel = new ClientChannel(0, "A");
    queue.add(channel, 0);
    assertThat(search(0)).hasSize(1);
    channel.setSearches(0);
    queue.add(channel, 10 * MILLI);
    assertThat(search(10)).hasSize(1);
    assertThat(search(255)).isEmpty();
    assertThat(search(260)).hasSize(1);
  }

  @Test
  void channelsThatWereSearchedInVainForLongAreBroughtForward() {
    SearchQueue slow = new SearchQueue(300_000 * MILLI);
    ClientChannel channel = new ClientChannel(0, "A");
    channel.setSearches(9);
    slow.add(channel, 0);
    assertThat(slow.dueNanos()).isEqualTo(64_000 * MILLI);
    slow.bringForward(100 * MILLI);
    assertThat(slow.dueNanos()).isEqualTo(100 * MILLI);
  }
}
