package org.kblake.benchmarks.transfer;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Work of a core like that of Dhrystone, Whetstone and 7-Zip, without a line of theirs: integers,
 * records and texts; floating point functions; and search for repetitions in text. The kinds take
 * turns of 100 ms. After each turn the process prints the kind's number, and rounds a second.
 */
public final class WorkLoops {

  static final List<String> KINDS =
      List.of("integers (as Dhrystone)", "floats (as Whetstone)", "LZ (as 7-Zip)");

  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int HASH_BITS = 14;
  private static final byte[] TEXT = text();

  private WorkLoops() {}

  /** Runs until it is killed. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    List<LongUnaryOperator> kinds =
        List.of(WorkLoops::integers, WorkLoops::floats, WorkLoops::repetitions);
    long sum = 0;
    for (int kind = 0; true; kind = (kind + 1) % kinds.size()) {
      long begin = System.nanoTime();
      long rounds = 0;
      while (System.nanoTime() - begin < TURN_NANOS) {
        sum += kinds.get(kind).applyAsLong(rounds++);
      }
      // The sum is printed so that the compiler does not remove the work.
      out.println(kind + " " + rounds * 1e9 / (System.nanoTime() - begin) + " " + (sum & 1));
    }
  }

  private static long integers(long round) {
    int[] table = new int[64];
    byte[] copy = new byte[32];
    int at = (int) round;
    for (int i = 0; i < 2_000; i++) {
      at = at * 7 / 3 + i % 5;
      table[at & 63] += at > i ? at - i : i;
      System.arraycopy(TEXT, at & 4095, copy, 0, copy.length);
      at += Arrays.compare(copy, 0, 8, TEXT, i, i + 8) + table[i & 63];
    }
    return at;
  }

  private static long floats(long round) {
    double x = 1 + (round & 7);
    double y = 0.5;
    for (int i = 0; i < 300; i++) {
      x = Math.sqrt(Math.exp(Math.log(x + 1) / 0.50025));
      y = (x + y - Math.sin(x) * Math.cos(y)) * 0.499975 + Math.atan(y);
    }
    return Double.doubleToRawLongBits(x + y);
  }

  /** Finds the longest repetition behind each byte by a table of the last places. */
  private static long repetitions(long round) {
    int[] last = new int[1 << HASH_BITS];
    long literals = round & 1;
    int at = 1;
    while (at < TEXT.length - 4) {
      int word = TEXT[at] & 0xff | (TEXT[at + 1] & 0xff) << 8 | (TEXT[at + 2] & 0xff) << 16;
      int hash = word * 0x9e3779b1 >>> 32 - HASH_BITS;
      int before = last[hash];
      last[hash] = at;
      int length = Math.max(0, Arrays.mismatch(TEXT, before, at, TEXT, at, TEXT.length));
      literals += length < 4 ? 1 : 0;
      at += length < 4 ? 1 : length;
    }
    return literals;
  }

  private static byte[] text() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder();
    while (text.length() < 1 << 15) {
      text.append("word").append(Integer.toString(random.nextInt(400), 36)).append(' ');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
