package org.kblake.core.layout;

/**
 * What an index says before its records.
 *
 * @param recordCount how many records follow
 * @param milestoneTableOffset where in the index the milestone entries begin
 */
public record IndexHeader(int recordCount, long milestoneTableOffset) {}
