package org.kblake.record.channelaccess.message;

/**
 * The numbers of a channel on a circuit.
 *
 * @param server the number that the server gave it
 * @param client the number that this client gave it
 */
public record ChannelNumbers(int server, int client) {}
