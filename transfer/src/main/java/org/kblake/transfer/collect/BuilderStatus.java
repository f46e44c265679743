package org.kblake.transfer.collect;

import java.util.List;

/**
 * What a connected builder has of a collector.
 *
 * @param name its name
 * @param sentBytes of logs and indexes since it connected
 * @param writtenBytes those of them that it has written, as it said last
 * @param missingPairs the pairs of its groups of which bytes were not sent yet
 * @param failures why groups are not sent, a line for each
 */
public record BuilderStatus(
    String name, long sentBytes, long writtenBytes, long missingPairs, List<String> failures) {}
