package org.kblake.test.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.kblake.server.settings.TlsFiles;

/** A certificate for localhost that keytool makes, and its key, as PEM. */
public final class TestCertificate {

  /** Those of this JVM by name, since each start of keytool takes a second. */
  private static final Map<String, byte[]> MADE = new ConcurrentHashMap<>();

  private static final char[] PASSWORD = "changeit".toCharArray();

  private TestCertificate() {}

  /** Writes NAME.crt and NAME.key. */
  public static TlsFiles write(Path directory, String name)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path file = directory.resolve(name + ".p12");
    byte[] made = MADE.get(name);
    if (made == null) {
      make(file);
      MADE.put(name, Files.readAllBytes(file));
    } else {
      Files.write(file, made);
    }
    KeyStore store = store(file);
    Path certificate = directory.resolve(name + ".crt");
    Path key = directory.resolve(name + ".key");
    pem(certificate, "CERTIFICATE", store.getCertificate("server").getEncoded());
    pem(key, "PRIVATE KEY", Objects.requireNonNull(store.getKey("server", PASSWORD)).getEncoded());
    return new TlsFiles(certificate, key);
  }

  private static void make(Path file) throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storepass",
                String.valueOf(PASSWORD),
                "-storetype",
                "PKCS12",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-alias",
                "server")
            .redirectErrorStream(true)
            .redirectOutput(Path.of(file + ".keytool").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
  }

  private static KeyStore store(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  private static void pem(Path file, String what, byte[] bytes) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN "
            + what
            + "-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
            + "\n-----END "
            + what
            + "-----\n",
        US_ASCII);
  }

  /** Returns what a client needs that trusts the certificates NAME.crt. */
  public static SSLContext trusting(Path directory, String... names)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (String name : names) {
      trusted.setCertificateEntry(
          name, store(directory.resolve(name + ".p12")).getCertificate("server"));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
