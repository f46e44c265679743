package org.kblake.core.layout;

/**
 * The header of an index.
 *
 * @param recordCount the number of records
 * @param milestoneTableOffset the offset of the milestone entries in the index
 */
public record IndexHeader(int recordCount, long milestoneTableOffset) {}
