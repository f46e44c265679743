package org.kblake.transfer.message;

/**
 * A collector or a builder of a session.
 *
 * @param host its address, as the manager sees it
 * @param port where it takes datagrams
 */
public record EventPeer(String name, String host, int port) {}
