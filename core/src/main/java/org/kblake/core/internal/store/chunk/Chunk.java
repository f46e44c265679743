package org.kblake.core.internal.store.chunk;

import org.kblake.core.model.ValueType;

/**
 * The events of a channel in one row group of one file of a block. Most channels have one chunk in
 * a block. A channel has several chunks if its type or count changed, or if it fills more than a
 * row group.
 *
 * @param channel the channel's name
 * @param type the type of every element
 * @param waveform whether rows contain lists of elements
 * @param rowGroup the row group, counted over all files of the block
 * @param firstRow the first row, counted from the row group's first
 * @param rows the number of rows, at least 1
 * @param firstPage the page that contains the first row
 * @param pages the number of pages that contain any of the rows
 * @param firstNanos earliest time of an event that is not a stray, {@link Long#MAX_VALUE} if there
 *     is none
 * @param lastNanos latest time of an event that is not a stray, {@link Long#MIN_VALUE} if there is
 *     none
 * @param firstValueNanos earliest time of a value event that is not a stray, {@link Long#MAX_VALUE}
 *     if there is none
 */
public record Chunk(
    String channel,
    ValueType type,
    boolean waveform,
    int rowGroup,
    int firstRow,
    int rows,
    int firstPage,
    int pages,
    long firstNanos,
    long lastNanos,
    long firstValueNanos) {

  /** Returns whether another chunk of the same block has its rows in the same pages. */
  boolean hasPagesOf(Chunk other) {
    return rowGroup == other.rowGroup && firstPage == other.firstPage && pages == other.pages;
  }
}
