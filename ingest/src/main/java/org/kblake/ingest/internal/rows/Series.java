package org.kblake.ingest.internal.rows;

import org.kblake.core.model.ValueType;

/**
 * The events that become adjacent rows of one Parquet file: those of a channel while its type does
 * not change.
 *
 * @param channel the channel's name
 * @param type the type of its elements
 * @param waveform whether its rows have lists
 */
public record Series(String channel, ValueType type, boolean waveform)
    implements Comparable<Series> {

  /** Returns whether two series share a file. */
  boolean sameFile(Series other) {
    return type == other.type && waveform == other.waveform;
  }

  /** Compares by file, then by channel. */
  @Override
  public int compareTo(Series other) {
    int byType = type.compareTo(other.type);
    if (byType != 0) {
      return byType;
    }
    int byShape = Boolean.compare(waveform, other.waveform);
    return byShape != 0 ? byShape : channel.compareTo(other.channel);
  }
}
