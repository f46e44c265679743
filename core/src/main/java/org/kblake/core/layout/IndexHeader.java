package org.kblake.core.layout;

/**
 * The header of an index.
 *
 * @param recordCount how many records follow
 * @param milestoneTableOffset where in the index the milestone entries begin
 */
public record IndexHeader(int recordCount, long milestoneTableOffset) {}
