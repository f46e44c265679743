package org.kblake.query.answer;

import org.kblake.core.model.Channel;

/**
 * A channel that left its own habit.
 *
 * @param channel the channel
 * @param onsetNanos the time at which it left its habit, nanoseconds since 1970 UTC
 * @param measure what left its habit first
 * @param z the largest deviation from the habit in the window, in robust standard deviations;
 *     infinite for a change without a number
 * @param before what was known before the onset: a value, connection or severity; empty if nothing
 * @param after the same at the onset
 */
public record Movement(
    Channel channel, long onsetNanos, Measure measure, double z, String before, String after) {

  /** What left its habit. */
  public enum Measure {
    /** The number. */
    LEVEL("level"),
    /** The change of the number in time. */
    RATE("rate"),
    /** The number of events. */
    COUNT("count"),
    /** The text, or the choice of an enum. */
    STATE("state"),
    /** Whether the channel is connected. */
    CONNECTION("connection"),
    /** The severity of its alarm. */
    SEVERITY("severity");

    private final String text;

    Measure(String text) {
      this.text = text;
    }

    /** Returns the text that commands print. */
    public String text() {
      return text;
    }
  }
}
