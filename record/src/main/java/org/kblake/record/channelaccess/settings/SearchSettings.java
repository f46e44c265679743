package org.kblake.record.channelaccess.settings;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Where and how fast channels are searched. Addresses whose hosts are unknown are looked up again.
 *
 * @param addresses the addresses of datagrams: hosts, broadcast or multicast
 * @param nameServers the servers that are asked over TCP
 * @param packetsPerSecond the budget of the process, for all addresses and name servers together
 * @param longestPeriod the longest time between two searches for a channel
 * @param ports the ports of servers and repeater
 */
public record SearchSettings(
    List<InetSocketAddress> addresses,
    List<InetSocketAddress> nameServers,
    int packetsPerSecond,
    Duration longestPeriod,
    Ports ports) {

  /** The default budget: at 25 names a packet, 12,500 names a second. */
  public static final int PACKETS_PER_SECOND = 500;

  /**
   * The ports of servers that do not state theirs, and of the repeater of beacons.
   *
   * @param server UDP and TCP
   * @param repeater UDP
   */
  public record Ports(int server, int repeater) {}

  public SearchSettings {
    addresses = List.copyOf(addresses);
    nameServers = List.copyOf(nameServers);
    for (InetSocketAddress each : addresses) {
      if (each.getAddress() instanceof Inet6Address) {
        throw new IllegalArgumentException("no address of version 4 of IP: " + each);
      }
    }
    if (packetsPerSecond < 1) {
      throw new IllegalArgumentException(
          "no budget of search packets: packetsPerSecond=" + packetsPerSecond);
    }
  }

  /** Returns the same settings with another budget. */
  public SearchSettings withPacketsPerSecond(int packets) {
    return new SearchSettings(addresses, nameServers, packets, longestPeriod, ports);
  }
}
