package org.kblake.cli.gather;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.kblake.server.settings.PemFiles;
import org.kblake.server.settings.TlsFiles;

/** TLS of transfers. */
public final class GatherTls {

  private GatherTls() {}

  /**
   * Returns TLS of a collector.
   *
   * @throws IOException if the files cannot be read, or do not belong together
   */
  public static SSLContext server(TlsFiles files) throws IOException {
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

  /** Returns TLS of a builder, which trusts the certificates that Java trusts. */
  public static SSLContext client() throws IOException {
    try {
      return SSLContext.getDefault();
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be used: " + e.getMessage(), e);
    }
  }
}
