package org.kblake.transfer.collect;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.TransferAccess;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.shape.SendingLimits;

/**
 * What a collector does.
 *
 * @param root the archive whose logs grow
 * @param endpoint where it listens
 * @param builders who gets which group
 * @param timeout after which a silent builder is lost
 */
public record CollectorSettings(
    Path root, Endpoint endpoint, BuilderMap builders, Duration timeout, TransferLog log) {

  /**
   * Where a collector listens, and to whom.
   *
   * @param control the address of control connections
   * @param data that of data connections
   * @param tls asked for at each connection, so that a certificate can be renewed; null for none
   * @param limits what it sends at most
   */
  public record Endpoint(
      InetSocketAddress control,
      InetSocketAddress data,
      @Nullable Supplier<SSLContext> tls,
      TransferAccess access,
      SendingLimits limits) {

    /** An endpoint that sends as much as the line takes. */
    public Endpoint(
        InetSocketAddress control,
        InetSocketAddress data,
        @Nullable Supplier<SSLContext> tls,
        TransferAccess access) {
      this(control, data, tls, access, SendingLimits.NONE);
    }
  }
}
