package org.kblake.transfer.message;

/**
 * What a builder has of a pair.
 *
 * @param stamp the digits of the pair's stamp, as a number
 */
public record PairPosition(long stamp, FilePosition log, FilePosition index) {}
