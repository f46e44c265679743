package org.kblake.server.settings;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificate and key of a server from files in PEM. */
public final class PemFiles {

  private static final String ALIAS = "server";
  private static final int MAX_BYTES = 1 << 20;
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  private PemFiles() {}

  /**
   * Returns a key store with the key, which has an empty password.
   *
   * @throws IOException if the files cannot be read, or do not belong together
   */
  public static KeyStore read(TlsFiles files) throws IOException {
    try {
      Certificate[] chain = chain(files.certificate());
      PrivateKey key = key(files.key(), chain[0].getPublicKey().getAlgorithm());
      if (!belongTogether(key, chain[0].getPublicKey())) {
        throw new InvalidKeyException("the key is not that of the certificate");
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(ALIAS, key, new char[0], chain);
      return store;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          "cannot use certificate and key: certificate="
              + files.certificate()
              + ", key="
              + files.key()
              + ", "
              + e.getMessage(),
          e);
    }
  }

  /** Returns the time at which the certificate of a key store of {@link #read} ends. */
  public static Instant end(KeyStore store) {
    try {
      return ((X509Certificate) store.getCertificate(ALIAS)).getNotAfter().toInstant();
    } catch (KeyStoreException e) {
      throw new IllegalStateException("the store was loaded", e);
    }
  }

  private static Certificate[] chain(Path file) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (!found.isEmpty()) {
        return found.toArray(Certificate[]::new);
      }
    } catch (CertificateException e) {
      throw new IOException(
          "the file has no certificate in PEM: file=" + file + ", " + e.getMessage(), e);
    }
    throw new IOException("the file has no certificate in PEM: file=" + file);
  }

  /** Signs some bytes, because a client would only see that the connection fails. */
  private static boolean belongTogether(PrivateKey key, PublicKey other)
      throws GeneralSecurityException {
    String algorithm = SIGNATURES.get(other.getAlgorithm());
    if (algorithm == null) {
      return true;
    }
    byte[] bytes = {1, 2, 3};
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(key);
    signer.update(bytes);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(other);
    verifier.update(bytes);
    return verifier.verify(signature);
  }

  private static PrivateKey key(Path file, String algorithm)
      throws IOException, GeneralSecurityException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("the file is longer than a key: file=" + file);
    }
    Matcher key = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!key.find()) {
      throw new IOException(
          "the file has no 'BEGIN PRIVATE KEY' (PKCS 8 without password): file="
              + file
              + "; convert it: openssl pkcs8 -topk8 -nocrypt");
    }
    byte[] bytes = Base64.getMimeDecoder().decode(key.group(1));
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
  }
}
