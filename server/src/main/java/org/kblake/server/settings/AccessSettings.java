package org.kblake.server.settings;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask.
 *
 * @param hosts names of this host in a request, besides the address at which it listens
 * @param tokens the tokens that clients send; null if none is needed
 * @param allowed clients that need no token
 * @param cors whether web pages of other hosts may use the paths of the Archiver Appliance
 * @param tls null for HTTP without TLS
 * @param insecure whether token and TLS may be missing when it listens off loopback
 */
public record AccessSettings(
    List<String> hosts,
    @Nullable AccessTokens tokens,
    List<AddressBlock> allowed,
    boolean cors,
    @Nullable TlsFiles tls,
    boolean insecure) {

  public AccessSettings {
    hosts = List.copyOf(hosts);
    allowed = List.copyOf(allowed);
  }

  /** Returns settings for loopback: everyone on this host may ask. */
  public static AccessSettings open() {
    return new AccessSettings(List.of(), null, List.of(), false, null, false);
  }

  /** Returns what a server at an address lacks to be safe; empty if it lacks nothing. */
  public List<String> lacks(InetSocketAddress listen) {
    List<String> lacks = new ArrayList<>();
    boolean loopback = listen.getAddress() != null && listen.getAddress().isLoopbackAddress();
    if (!insecure && !loopback && tokens == null) {
      lacks.add("token");
    }
    if (!insecure && !loopback && tls == null) {
      lacks.add("TLS");
    }
    return lacks;
  }
}
