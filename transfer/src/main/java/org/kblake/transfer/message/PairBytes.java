package org.kblake.transfer.message;

/**
 * How long the files of a pair are.
 *
 * @param stamp the digits of the pair's stamp, as a number
 */
public record PairBytes(long stamp, long log, long index) {}
