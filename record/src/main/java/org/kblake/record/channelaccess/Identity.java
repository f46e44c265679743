package org.kblake.record.channelaccess;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.kblake.record.channelaccess.message.Requests;

/** What servers learn of this client, for their access rules. */
final class Identity {

  static final String HOST = shortened(host());
  static final String USER = shortened(System.getProperty("user.name", "unknown"));

  private Identity() {}

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private static String shortened(String name) {
    return name.substring(0, Math.min(name.length(), Requests.LARGEST_NAME / 4));
  }
}
