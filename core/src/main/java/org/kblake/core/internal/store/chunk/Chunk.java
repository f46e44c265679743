package org.kblake.core.internal.store.chunk;

import org.kblake.core.model.ValueType;

/**
 * Some of a channel's events in a block: those in one row group of one file. Most channels have one
 * chunk in a block; one that changed its type or count, or fills more than a row group, has
 * several.
 *
 * @param channel the channel's name
 * @param type the type of every element
 * @param waveform whether rows hold lists of elements
 * @param rowGroup the row group, counted over all files of the block
 * @param firstRow the first row, counted from the row group's first
 * @param rows at least 1
 * @param firstPage the page that holds the first row
 * @param pages pages that hold any of the rows
 * @param firstNanos earliest time of an event that is no stray; {@link Long#MAX_VALUE} if none
 * @param lastNanos latest time of an event that is no stray; {@link Long#MIN_VALUE} if none
 * @param firstValueNanos earliest time of a value event that is no stray; {@link Long#MAX_VALUE} if
 *     none
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
    long firstValueNanos) {}
