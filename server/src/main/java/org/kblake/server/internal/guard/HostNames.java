package org.kblake.server.internal.guard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.HostPort;

/**
 * The names of this host in requests. A web page elsewhere whose name leads to this host has
 * another name in its requests. Without this test it could read the archive.
 */
final class HostNames {

  private final Set<String> names = new HashSet<>();

  HostNames(InetSocketAddress listen, List<String> added) {
    names.add(normal(listen.getHostString()));
    added.forEach(name -> names.add(normal(name)));
  }

  /** Returns whether a request names this host. HTTP/1.0 without a name does. */
  boolean accepts(Request request) {
    List<String> sent = request.getHeaders().getValuesList(HttpHeader.HOST);
    String inUri = request.getHttpURI().getHost();
    return sent.stream().allMatch(host -> accepts(request, host))
        && (inUri == null || inUri.isEmpty() || acceptsName(request, inUri));
  }

  private boolean accepts(Request request, String hostAndPort) {
    try {
      return acceptsName(request, new HostPort(hostAndPort).getHost());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean acceptsName(Request request, String host) {
    String name = normal(host);
    if (names.contains(name)) {
      return true;
    }
    if (!(request.getConnectionMetaData().getLocalSocketAddress()
        instanceof InetSocketAddress local)) {
      return false;
    }
    InetAddress address = local.getAddress();
    return name.equals(address.getHostAddress().toLowerCase(Locale.ROOT))
        || (address.isLoopbackAddress()
            && Set.of("localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1").contains(name));
  }

  private static String normal(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    if (name.startsWith("[") && name.endsWith("]")) {
      name = name.substring(1, name.length() - 1);
    }
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }
}
