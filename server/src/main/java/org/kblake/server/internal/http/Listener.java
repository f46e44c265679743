package org.kblake.server.internal.http;

import io.javalin.config.JettyConfig;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.security.KeyStore;
import java.time.Instant;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.connection.ClientConnector;
import org.kblake.server.internal.guard.ErrorAnswers;
import org.kblake.server.internal.guard.Guard;
import org.kblake.server.internal.guard.RequestLines;
import org.kblake.server.settings.PemFiles;
import org.kblake.server.settings.ServerLimits;
import org.kblake.server.settings.TlsFiles;

/** Where and how the server listens. */
final class Listener implements Closeable {

  private static final int HEADER_BYTES = 1 << 16;
  private static final int BACKLOG = 1_024;
  private static final int OTHER_THREADS = 40;
  private static final int FEWEST_THREADS = 8;

  private final HttpSettings settings;
  private final SslContextFactory.@Nullable Server tls;
  private final ServerSocketChannel channel;

  private Listener(
      HttpSettings settings, SslContextFactory.@Nullable Server tls, ServerSocketChannel channel) {
    this.settings = settings;
    this.tls = tls;
    this.channel = channel;
  }

  /**
   * Opens the port. It accepts connections once the server is started.
   *
   * @throws IOException if it cannot listen, or a file of TLS cannot be read
   */
  static Listener open(HttpSettings settings) throws IOException {
    TlsFiles files = settings.access().tls();
    SslContextFactory.@Nullable Server tls = files == null ? null : tls(PemFiles.read(files));
    return new Listener(settings, tls, bound(settings.address()));
  }

  /** Javalin would report each problem as a port in use. */
  private static ServerSocketChannel bound(InetSocketAddress address) throws IOException {
    if (address.isUnresolved()) {
      throw new IOException("cannot listen: no such host: " + address.getHostString());
    }
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      return channel.bind(address, BACKLOG);
    } catch (IOException e) {
      channel.close();
      throw new IOException(
          "cannot listen: address="
              + address.getHostString()
              + ":"
              + address.getPort()
              + ", "
              + e.getMessage()
              + "; choose another address with --listen",
          e);
    }
  }

  private static SslContextFactory.Server tls(KeyStore keys) {
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStore(keys);
    tls.setKeyStorePassword("");
    tls.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    return tls;
  }

  /** Returns the time at which the certificate ends; null if there is none. */
  @Nullable Instant certificateEnd() {
    return tls == null ? null : PemFiles.end(tls.getKeyStore());
  }

  /**
   * Reads the files of TLS again, for connections from now on.
   *
   * @throws IOException if they cannot be used; the old certificate then stays
   */
  void renewCertificate() throws IOException {
    TlsFiles files = settings.access().tls();
    if (tls == null || files == null) {
      return;
    }
    KeyStore keys = PemFiles.read(files);
    try {
      // A failed reload leaves the factory without any keys.
      SslContextFactory.Server trial = tls(keys);
      trial.start();
      trial.stop();
      tls.reload(factory -> factory.setKeyStore(keys));
    } catch (Exception e) {
      throw new IOException("the certificate cannot be used: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  void configure(JettyConfig jetty, Guard guard) {
    ServerLimits limits = settings.limits();
    jetty.threadPool =
        new QueuedThreadPool(
            limits.trends() + limits.exports() + limits.streams() + OTHER_THREADS, FEWEST_THREADS);
    jetty.addConnector(this::connector);
    jetty.modifyServer(
        server -> {
          server.insertHandler(guard);
          server.setErrorHandler(new ErrorAnswers());
          server.setStopTimeout(0);
          if (settings.requestLog() != null) {
            server.setRequestLog(new RequestLines(settings.requestLog()));
          }
        });
  }

  private ServerConnector connector(Server server, HttpConfiguration http) {
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setSendServerVersion(false);
    HttpConnectionFactory factory = new HttpConnectionFactory(http);
    if (tls != null) {
      http.addCustomizer(new SecureRequestCustomizer(false));
    }
    ServerConnector connector =
        new ClientConnector(server, tls, factory, settings.limits().connections());
    try {
      connector.open(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    connector.setIdleTimeout(settings.limits().idle().toMillis());
    return connector;
  }
}
