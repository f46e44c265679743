package org.kblake.simulate.channel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.SplitMix;

/**
 * Messages: one of a few strings, with {@code #} replaced by a running number.
 *
 * @param meanSeconds the mean time between messages
 * @param texts strings of at most 28 bytes of UTF-8, so that they fit into 40 bytes with a number
 *     and a NUL
 */
public record TextKind(String label, double meanSeconds, List<String> texts) implements SignalKind {

  private static final int TEXT_BITS = 8;

  @Override
  public ValueType type() {
    return ValueType.STRING;
  }

  @Override
  public double eventsPerSecond() {
    return 1 / meanSeconds;
  }

  @Override
  public Signal create(int ordinal, long seed) {
    return new Switching(ordinal, seed) {

      private int choice;
      private int number = (int) (next() >>> 50);

      @Override
      void change() {
        choice = (int) (SplitMix.unit(next()) * texts.size());
        number++;
      }

      @Override
      long bits() {
        return (long) number << TEXT_BITS | choice;
      }

      @Override
      public boolean showsZeroUndefined() {
        return false;
      }

      @Override
      public byte[] text(long bits) {
        String text = texts.get((int) bits & ((1 << TEXT_BITS) - 1));
        String filled = text.replace("#", Integer.toString((int) (bits >>> TEXT_BITS)));
        return filled.getBytes(StandardCharsets.UTF_8);
      }

      @Override
      double meanSeconds() {
        return meanSeconds;
      }
    };
  }
}
