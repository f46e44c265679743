package org.kblake.record.source;

import java.net.InetSocketAddress;

/**
 * What was counted on a connection to a server since it began.
 *
 * @param server the server's address
 * @param values values received
 * @param bytes bytes received
 * @param backlogBytes the largest number of bytes that waited for one turn of the receiver: where
 *     it is near the size of the buffers between server and client, the server may have dropped
 *     values
 */
public record CircuitCounts(InetSocketAddress server, long values, long bytes, long backlogBytes) {}
