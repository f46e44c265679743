package org.kblake.cli.kblogrd.format;

/**
 * A record among the columns of a table. A table may have a record more than once.
 *
 * @param name the record's name
 * @param channel the index of its channel in the answer; -1 if the answer does not have it
 * @param width the number of its columns: its largest element count
 */
public record Column(String name, int channel, int width) {}
