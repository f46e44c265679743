package org.kblake.record.channelaccess.settings;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lists of addresses of EPICS: {@code HOST} or {@code HOST:PORT}, with blanks between them. */
final class Addresses {

  private static final int LARGEST_PORT = 65_535;

  private Addresses() {}

  /**
   * Parses a list. An address that cannot be used is a note.
   *
   * @param variable the variable's name, for notes
   */
  static List<InetSocketAddress> parse(
      String variable, String list, int defaultPort, List<String> notes) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String word : list.strip().split("\\s+")) {
      int colon = word.lastIndexOf(':');
      String host = colon < 0 ? word : word.substring(0, colon);
      int port = colon < 0 ? defaultPort : port(word.substring(colon + 1));
      InetSocketAddress address = port < 0 ? null : new InetSocketAddress(host, port);
      if (address == null) {
        notes.add(variable + " has an address without a valid port: " + word + " is left out");
      } else if (host.isEmpty()) {
        notes.add(variable + " has an address without a host: " + word + " is left out");
      } else if (address.isUnresolved()) {
        notes.add(variable + " has an unknown host: " + word + " is looked up again and again");
        addresses.add(address);
      } else if (!(address.getAddress() instanceof Inet4Address)) {
        notes.add(variable + " has no address of version 4 of IP: " + word + " is left out");
      } else if (!addresses.contains(address)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port >= 1 && port <= LARGEST_PORT ? port : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Returns the broadcast addresses of this machine, or its loopback address if it has none. */
  static List<InetSocketAddress> broadcast(int port) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    try {
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (each.isUp() && !each.isLoopback()) {
          for (InterfaceAddress address : each.getInterfaceAddresses()) {
            if (address.getBroadcast() != null) {
              addresses.add(new InetSocketAddress(address.getBroadcast(), port));
            }
          }
        }
      }
    } catch (SocketException e) {
      // A machine that does not tell its interfaces is treated as one without any.
    }
    if (addresses.isEmpty()) {
      addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
    return addresses;
  }
}
