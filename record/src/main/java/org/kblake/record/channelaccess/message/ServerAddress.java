package org.kblake.record.channelaccess.message;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** The addresses of servers in answers to searches and in beacons. */
public final class ServerAddress {

  private static final int SENDER = 0xFFFF_FFFF;
  private static final int ANY = 0;

  private ServerAddress() {}

  /**
   * Returns the server that an answer to a search names.
   *
   * @param sender whence the answer came; its address is the server's unless the answer has one
   */
  public static InetSocketAddress found(Message answer, InetSocketAddress sender) {
    return of(answer.first(), sender, answer.type());
  }

  /**
   * Returns the server that an answer of a name server names. One that names itself is reached
   * where it was asked, perhaps through a tunnel: its own port may be another one.
   */
  public static InetSocketAddress foundBy(InetSocketAddress nameServer, Message answer) {
    return answer.first() == SENDER ? nameServer : found(answer, nameServer);
  }

  /**
   * Returns the server that sends a beacon.
   *
   * @param sender whence the beacon came, perhaps a repeater of this machine
   * @param defaultPort the port of servers that do not state theirs
   */
  public static InetSocketAddress ofBeacon(
      Message beacon, InetSocketAddress sender, int defaultPort) {
    int port = (int) beacon.count();
    return of(beacon.second(), sender, port == 0 ? defaultPort : port);
  }

  private static InetSocketAddress of(int address, InetSocketAddress sender, int port) {
    if (address == SENDER || address == ANY) {
      return new InetSocketAddress(sender.getAddress(), port & 0xFFFF);
    }
    try {
      byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(address).array();
      return new InetSocketAddress(InetAddress.getByAddress(bytes), port & 0xFFFF);
    } catch (UnknownHostException e) {
      throw new AssertionError("an address of four bytes", e);
    }
  }
}
