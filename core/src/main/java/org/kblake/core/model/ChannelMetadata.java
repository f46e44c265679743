package org.kblake.core.model;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What metadata files say of a channel. Logs have none of it. Everything that no file says is
 * unknown: null or empty.
 *
 * @param channel the channel
 * @param unit the unit of its values, such as {@code mA}
 * @param precision the number of digits after the decimal point with which values are shown
 * @param low the low end of the range of a display, in the unit
 * @param high the high end of the range of a display, in the unit
 * @param lolo values at or below this limit are a major alarm
 * @param lo values at or below this limit are a minor alarm
 * @param hi values at or above this limit are a minor alarm
 * @param hihi values at or above this limit are a major alarm
 * @param labels the texts of an enum's states, from state 0 on
 * @param description a description in words
 * @param formerNames the names of the records that are the same channel before it was renamed
 * @param presentNames the channels of the same group that this one is a former name of
 */
public record ChannelMetadata(
    Channel channel,
    @Nullable String unit,
    OptionalInt precision,
    OptionalDouble low,
    OptionalDouble high,
    OptionalDouble lolo,
    OptionalDouble lo,
    OptionalDouble hi,
    OptionalDouble hihi,
    List<String> labels,
    @Nullable String description,
    List<String> formerNames,
    List<String> presentNames) {

  public ChannelMetadata {
    labels = List.copyOf(labels);
    formerNames = List.copyOf(formerNames);
    presentNames = List.copyOf(presentNames);
  }

  /** Returns the metadata of a channel of which nothing is known. */
  public static ChannelMetadata unknown(Channel channel) {
    return new ChannelMetadata(
        channel,
        null,
        OptionalInt.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        List.of(),
        null,
        List.of(),
        List.of());
  }

  /**
   * Returns the same metadata, and what another source says of the channel where this one says
   * nothing. Names are those of this source.
   */
  public ChannelMetadata orElse(ChannelMetadata other) {
    return new ChannelMetadata(
        channel,
        unit == null ? other.unit : unit,
        precision.isPresent() ? precision : other.precision,
        either(low, other.low),
        either(high, other.high),
        either(lolo, other.lolo),
        either(lo, other.lo),
        either(hi, other.hi),
        either(hihi, other.hihi),
        labels.isEmpty() ? other.labels : labels,
        description == null ? other.description : description,
        formerNames,
        presentNames);
  }

  private static OptionalDouble either(OptionalDouble first, OptionalDouble second) {
    return first.isPresent() ? first : second;
  }

  /** Returns the same metadata of a channel that is a former name of others. */
  public ChannelMetadata withPresentNames(List<String> names) {
    return new ChannelMetadata(
        channel,
        unit,
        precision,
        low,
        high,
        lolo,
        lo,
        hi,
        hihi,
        labels,
        description,
        formerNames,
        names);
  }
}
