package org.kblake.server.settings;

import java.time.Duration;

/**
 * What a connection may take, before and while it has a request.
 *
 * @param all open connections; 16 of them are for clients on this host only
 * @param ofAddress open connections of one address, or of one IPv6 network of 64 bits, off loopback
 * @param header the longest time from the first byte of a header to its end
 * @param bytesPerSecond the least rate at which a client sends a body or takes an answer
 */
public record ConnectionLimits(int all, int ofAddress, Duration header, int bytesPerSecond) {

  /** Returns the limits of {@code kblake serve}. */
  public static ConnectionLimits defaults() {
    return of(4096);
  }

  /** Returns the usual limits with another number of connections. */
  public static ConnectionLimits of(int all) {
    return new ConnectionLimits(all, 512, Duration.ofSeconds(15), 1024);
  }
}
