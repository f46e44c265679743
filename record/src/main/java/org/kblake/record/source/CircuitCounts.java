package org.kblake.record.source;

/**
 * What was counted on a connection to a server since it was last asked for.
 *
 * @param server the server's address and port, as {@link ChannelEvent#server} names it
 * @param isOpen false if the connection ended; then these are its last counts
 * @param values values received
 * @param bytes bytes received
 * @param backlogBytes the largest number of bytes that waited for one turn of the receiver: where
 *     it is near the size of the buffers between server and client, the server may have dropped
 *     values
 */
public record CircuitCounts(
    String server, boolean isOpen, long values, long bytes, long backlogBytes) {}
