package org.kblake.cli.gather;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.kblake.server.settings.PemFiles;
import org.kblake.server.settings.TlsFiles;

/** TLS of a collector, whose certificate can be renewed. */
public final class GatherTls implements Supplier<SSLContext> {

  private final TlsFiles files;
  private volatile SSLContext context;

  /**
   * @throws IOException if the files cannot be read, or do not belong together
   */
  public GatherTls(TlsFiles files) throws IOException {
    this.files = files;
    context = read(files);
  }

  private static SSLContext read(TlsFiles files) throws IOException {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(PemFiles.read(files), new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be used: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the files again for connections from now on.
   *
   * @throws IOException if they cannot be used; the certificate before stays in use
   */
  public void renew() throws IOException {
    context = read(files);
  }

  @Override
  public SSLContext get() {
    return context;
  }

  /** Returns TLS of a builder, which trusts the certificates that Java trusts. */
  public static SSLContext client() throws IOException {
    try {
      return SSLContext.getDefault();
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be used: " + e.getMessage(), e);
    }
  }
}
