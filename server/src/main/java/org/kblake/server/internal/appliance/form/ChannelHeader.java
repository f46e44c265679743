package org.kblake.server.internal.appliance.form;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.ChannelInfo;

/**
 * What an answer tells of a channel.
 *
 * @param name the channel's name, as the archive has it
 * @param facts what is known of it, by the names of the protocol: EGU, PREC and others
 * @param type finds the type of the samples in the range
 * @param elementCount the largest number of elements of a waveform; 1 for a scalar
 */
public record ChannelHeader(
    String name, Map<String, String> facts, TypeQuestion type, int elementCount) {

  /** Finds the type of samples. This takes as long as the plan of a read. */
  @FunctionalInterface
  public interface TypeQuestion {
    /**
     * Returns the type, double if there are numbers of several types; null if it is not known, or
     * if there is one type only.
     */
    @Nullable ChannelInfo answer() throws IOException;
  }
}
