package org.kblake.cli.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.server.settings.TlsFiles;

/** The files of TLS, which are read again after they have changed. */
public final class CertificateFiles {

  private final TlsFiles files;
  private final ChangedFiles changes;

  private CertificateFiles(TlsFiles files) {
    this.files = files;
    changes = new ChangedFiles(files.certificate(), files.key());
  }

  /**
   * Names files, which the caller reads.
   *
   * @throws UsageException if others could have written them
   */
  public static CertificateFiles of(Path certificate, Path key) {
    CertificateFiles named = new CertificateFiles(new TlsFiles(certificate, key));
    named.check();
    return named;
  }

  private void check() {
    TrustedFile.check(files.certificate());
    TrustedFile.check(files.key());
  }

  /**
   * Returns the time at which the first of the certificates ends.
   *
   * @throws IOException if there is none that can be read
   */
  public Instant end() throws IOException {
    try (InputStream in = Files.newInputStream(files.certificate())) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
          .map(each -> ((X509Certificate) each).getNotAfter().toInstant())
          .min(Comparator.naturalOrder())
          .orElseThrow(() -> new IOException("the file has no certificate in PEM"));
    } catch (CertificateException e) {
      throw new IOException("the file has no certificate in PEM: " + e.getMessage(), e);
    }
  }

  public TlsFiles files() {
    return files;
  }

  /**
   * Returns whether to read the files again, because they have changed.
   *
   * @param asked whether to read them in any case
   * @throws UsageException if they have changed, and others could have written them
   */
  public boolean haveChanged(boolean asked) {
    if (!changes.haveChanged(asked)) {
      return false;
    }
    check();
    return true;
  }
}
