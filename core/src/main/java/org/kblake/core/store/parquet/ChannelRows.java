package org.kblake.core.store.parquet;

/**
 * Where a channel's rows lie in a row group.
 *
 * @param name the channel's name
 * @param firstRow counted from the row group's first
 * @param rows at least 1
 * @param firstPage the page that holds the first row
 * @param pages pages that hold any of the rows
 */
public record ChannelRows(String name, int firstRow, int rows, int firstPage, int pages) {}
