package org.kblake.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.model.EventState;

/** The loop over arrays gives the same results as the methods of the layout for single events. */
class HeaderLoopTest {

  private static final LogLayout LAYOUT = ReferenceLayout.INSTANCE;
  private static final int IDS = 8;

  /** The seeds whose records are nearly all doubles. Four doubles are checked at once. */
  private static final int DOUBLES = 3;

  private static final int MAX_EVENTS = 80;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void passesTheEventsThatTheMethodsAccept(boolean bigEndian) {
    ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    for (long seed = 0; seed < 9_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int[] usual = new int[IDS];
      for (int id = 0; id < IDS; id++) {
        boolean wanted = random.nextInt(seed % DOUBLES == 0 ? 4 : 40) == 0;
        int values = seed % DOUBLES == 0 ? random.nextInt(1, 4) : 1;
        usual[id] = wanted ? Integer.MAX_VALUE : 20 + 8 * values;
      }
      byte[] array = events(random, usual, order);
      ByteBuffer log = ByteBuffer.wrap(array).order(order);
      int last = log.limit() - LAYOUT.recordHeaderBytes();
      int end = log.limit() + random.nextInt(3) * 8;
      HeaderLoop loop = Objects.requireNonNull(LAYOUT.headerLoop(order));
      int at = loop.pass(log, 0, last, end, usual);
      long earliest = Long.MAX_VALUE;
      long latest = Long.MIN_VALUE;
      int events = 0;
      int expected = 0;
      while (expected <= last && isUsual(log, expected, end, usual)) {
        earliest = Math.min(earliest, LAYOUT.timeKey(log, expected));
        latest = Math.max(latest, LAYOUT.timeKey(log, expected));
        events++;
        expected += LAYOUT.length(log, expected);
      }
      assertThat(at).as("seed " + seed).isEqualTo(expected);
      assertThat(loop.events).as("seed " + seed).isEqualTo(events);
      assertThat(loop.earliestKey).as("seed " + seed).isEqualTo(earliest);
      assertThat(loop.latestKey).as("seed " + seed).isEqualTo(latest);
    }
  }

  private static boolean isUsual(ByteBuffer log, int at, int end, int[] usual) {
    int id = LAYOUT.id(log, at);
    int length = LAYOUT.length(log, at);
    return id >= 0
        && id < usual.length
        && usual[id] == length
        && length <= end - at
        && LAYOUT.state(log, at) == EventState.VALUE_CODE
        && LAYOUT.severity(log, at) <= 3;
  }

  /** Returns events that are nearly all usual. The last one may be cut. */
  private static byte[] events(SplittableRandom random, int[] usual, ByteOrder order) {
    ByteBuffer log = ByteBuffer.allocate(MAX_EVENTS * 64).order(order);
    int at = 0;
    for (int i = random.nextInt(1, MAX_EVENTS); i > 0; i--) {
      int id = random.nextInt(IDS);
      int length = usual[id] == Integer.MAX_VALUE ? 28 : usual[id];
      LAYOUT.putEventHeader(log, at, length, id, 1_600_000_000_000_000_000L + random.nextInt());
      LAYOUT.putState(log, at, EventState.VALUE_CODE, random.nextInt(4), random.nextInt(20));
      if (random.nextInt(60) == 0) {
        // A bit of the header: length, id, time, state or severity.
        int bit = random.nextInt(18 * Byte.SIZE);
        int where = at + bit / Byte.SIZE;
        log.put(where, (byte) (log.get(where) ^ 1 << bit % Byte.SIZE));
      }
      at += length;
    }
    int bytes = Math.max(LAYOUT.recordHeaderBytes(), at - random.nextInt(2) * random.nextInt(8));
    return Arrays.copyOf(log.array(), bytes);
  }
}
