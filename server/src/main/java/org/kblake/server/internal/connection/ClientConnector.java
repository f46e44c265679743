package org.kblake.server.internal.connection;

import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.kblake.server.settings.ConnectionLimits;

/** Accepts connections within limits. */
public final class ClientConnector extends ServerConnector {

  /** The limits are tested so often in the longest time of a header. */
  private static final int TESTS = 10;

  private static final long MAX_MILLIS = 1_000;

  private final Connections connections;
  private final long testMillis;

  /**
   * @param tls null for HTTP without TLS
   */
  public ClientConnector(
      Server server,
      SslContextFactory.@Nullable Server tls,
      HttpConnectionFactory http,
      ConnectionLimits limits) {
    super(server, null, null, null, -1, -1, factories(tls, http));
    connections = new Connections(limits);
    testMillis = Math.max(1, Math.min(MAX_MILLIS, limits.header().toMillis() / TESTS));
  }

  private static ConnectionFactory[] factories(
      SslContextFactory.@Nullable Server tls, HttpConnectionFactory http) {
    return tls == null
        ? new ConnectionFactory[] {http}
        : AbstractConnectionFactory.getFactories(tls, http);
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    later();
  }

  private void later() {
    getScheduler().schedule(this::test, testMillis, TimeUnit.MILLISECONDS);
  }

  private void test() {
    if (isRunning() || isStarting()) {
      connections.closeSlow();
      later();
    }
  }

  @Override
  protected ClientEndPoint newEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key) {
    ClientEndPoint client =
        new ClientEndPoint(channel, selector, key, getScheduler(), getExecutor(), connections);
    client.setIdleTimeout(getIdleTimeout());
    return client;
  }
}
