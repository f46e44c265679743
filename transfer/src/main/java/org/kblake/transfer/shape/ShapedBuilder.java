package org.kblake.transfer.shape;

import java.net.InetAddress;
import java.util.List;

/**
 * A builder, and how the collector's traffic with it is recognized: by its addresses and the ports
 * of both connections, at either end.
 *
 * @param addresses at least one
 * @param most what it gets of data at most
 */
public record ShapedBuilder(
    List<InetAddress> addresses, int controlPort, int dataPort, BitRate most) {

  private static final int MOST_PORT = 0xFFFF;

  /**
   * @throws IllegalArgumentException if there is no address, or the ports are none, or the same
   */
  public ShapedBuilder {
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("a builder has no address");
    }
    check(controlPort);
    check(dataPort);
    if (controlPort == dataPort) {
      throw new IllegalArgumentException(
          "control and data have the same port, so they cannot be told apart: port=" + dataPort);
    }
  }

  private static void check(int port) {
    if (port < 1 || port > MOST_PORT) {
      throw new IllegalArgumentException("no port from 1 to 65535: port=" + port);
    }
  }
}
