package org.kblake.transfer.shape;

import java.util.List;

/**
 * What is shaped on an interface.
 *
 * @param device the interface's name
 * @param line the rate of the interface
 * @param control what control connections get at least, if they need it
 * @param data what all data connections get together at most
 */
public record ShapingPlan(
    String device, BitRate line, BitRate control, BitRate data, List<ShapedBuilder> builders) {

  /** The scheduler's classes of builders have numbers of 16 bits. */
  static final int MOST_BUILDERS = 1000;

  private static final String DEVICE = "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,14}";

  /**
   * @throws IllegalArgumentException if the name is none of an interface, the rates are more than
   *     the line has, or there is no builder
   */
  public ShapingPlan {
    builders = List.copyOf(builders);
    if (!device.matches(DEVICE)) {
      throw new IllegalArgumentException("'" + device + "' is no name of an interface");
    }
    if (control.bitsPerSecond() + data.bitsPerSecond() > line.bitsPerSecond()) {
      throw new IllegalArgumentException(
          "control and data have more than the line: control="
              + control
              + ", data="
              + data
              + ", line="
              + line);
    }
    if (builders.isEmpty() || builders.size() > MOST_BUILDERS) {
      throw new IllegalArgumentException(
          "there must be from 1 to 1000 builders, found " + builders.size());
    }
  }

  /** Returns what a builder gets of data if all others need theirs. */
  BitRate least(ShapedBuilder builder) {
    long share = Math.max(1000, data.bitsPerSecond() / builders.size());
    return new BitRate(Math.min(share, most(builder).bitsPerSecond()));
  }

  /** Returns what a builder gets of data at most. */
  BitRate most(ShapedBuilder builder) {
    return builder.most().compareTo(data) < 0 ? builder.most() : data;
  }
}
