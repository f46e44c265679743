package org.kblake.simulate.channel;

import java.util.Locale;

/**
 * Channels of one kind in a group.
 *
 * @param count the number of channels at scale 1
 * @param pattern the format of their names, with two numbers: the section of the ring (1 to 12),
 *     and a running number in it; a pattern without numbers is the name of the first channel
 */
public record ChannelPlan(SignalKind kind, int count, String pattern) {

  private static final int SECTIONS = 12;

  public String name(int index) {
    if (pattern.indexOf('%') < 0) {
      return index == 0 ? pattern : pattern + (index + 1);
    }
    return String.format(Locale.ROOT, pattern, 1 + index % SECTIONS, 1 + index / SECTIONS);
  }

  public int scaledCount(double scale) {
    return (int) (count * scale + 0.5);
  }
}
