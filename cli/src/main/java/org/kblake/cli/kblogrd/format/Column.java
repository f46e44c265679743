package org.kblake.cli.kblogrd.format;

/**
 * A record among the columns of a table, where it may stand more than once.
 *
 * @param name the record's
 * @param channel its index in the answer, -1 if the answer does not have it
 * @param width how many columns it contributes: its largest number of elements
 */
public record Column(String name, int channel, int width) {}
