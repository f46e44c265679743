package org.kblake.cli.settings;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address to listen on: {@code 127.0.0.1:9464}, {@code [::1]:9464}, or {@code :9464} for all
 * addresses of this host.
 *
 * @param host the host; empty for all addresses
 * @param port the port; 0 for any free port
 */
public record ListenAddress(String host, int port) {

  private static final Pattern FORM = Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:]*):(\\d{1,5})");

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static ListenAddress parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches() || Integer.parseInt(form.group(2)) > 65_535) {
      throw new IllegalArgumentException("'" + text + "' is not HOST:PORT, such as 127.0.0.1:8080");
    }
    return new ListenAddress(form.group(1), Integer.parseInt(form.group(2)));
  }

  public InetSocketAddress socketAddress() {
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  /** Returns whether only this host can reach it. A name that cannot be resolved counts as no. */
  public boolean isLoopback() {
    InetAddress address = socketAddress().getAddress();
    return address != null && address.isLoopbackAddress();
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
