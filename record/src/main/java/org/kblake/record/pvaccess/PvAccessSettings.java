package org.kblake.record.pvaccess;

import java.time.Duration;
import java.util.stream.Stream;
import org.epics.pva.PVASettings;

/**
 * The settings of a client. core-pva has one set for the process, so those of the client that is
 * started last hold.
 *
 * @param addresses the hosts of searches, as {@code EPICS_PVA_ADDR_LIST} has them
 * @param isAutomatic whether the broadcast addresses of this machine are searched, too
 * @param nameServers the servers that are asked over TCP
 * @param ports the ports of servers that do not state theirs
 * @param times how long is waited
 */
public record PvAccessSettings(
    String addresses, boolean isAutomatic, String nameServers, Ports ports, Times times) {

  /** Requests of a client that only monitors are small. core-pva's default is 8 MB per server. */
  private static final int SEND_BUFFER_BYTES = 1 << 16;

  /**
   * Ports.
   *
   * @param broadcast UDP, for searches and beacons
   * @param server TCP
   */
  public record Ports(int broadcast, int server) {}

  /**
   * Times.
   *
   * @param connection without a byte after which a server's channels are disconnected
   * @param stall without a value after which a channel that was found is opened anew
   */
  public record Times(Duration connection, Duration stall) {}

  /** Returns about how many packets are sent for one search. */
  int destinations() {
    long named =
        Stream.of(addresses, nameServers)
            .filter(list -> !list.isBlank())
            .flatMap(list -> Stream.of(list.strip().split("\\s+")))
            .count();
    return Math.toIntExact(named) + (isAutomatic ? 1 : 0);
  }

  /** Hands the settings to core-pva, where they hold for connections that begin later. */
  void apply() {
    PVASettings.EPICS_PVA_ADDR_LIST = addresses;
    PVASettings.EPICS_PVA_AUTO_ADDR_LIST = isAutomatic;
    PVASettings.EPICS_PVA_NAME_SERVERS = nameServers;
    PVASettings.EPICS_PVA_BROADCAST_PORT = ports.broadcast();
    PVASettings.EPICS_PVA_SERVER_PORT = ports.server();
    PVASettings.EPICS_PVA_CONN_TMO = (int) Math.max(1, times.connection().toSeconds());
    PVASettings.EPICS_PVA_SEND_BUFFER_SIZE = SEND_BUFFER_BYTES;
  }
}
