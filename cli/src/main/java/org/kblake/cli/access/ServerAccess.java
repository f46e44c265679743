package org.kblake.cli.access;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.TableValues;
import org.kblake.cli.settings.TrustedFile;

/** The tokens and the certificate of a server, by the keys of its table. */
public final class ServerAccess {

  private final TableValues settings;
  private final Keys keys;
  private final @Nullable TokenFile tokens;
  private final @Nullable CertificateFiles certificate;

  /**
   * The keys of a table.
   *
   * @param certificate the file of the certificate
   * @param key that of its private key
   * @param insecure whether token and TLS may be missing off loopback
   */
  public record Keys(
      SettingKey<ListenAddress> listen,
      SettingKey<Path> tokens,
      SettingKey<Path> certificate,
      SettingKey<Path> key,
      SettingKey<Boolean> insecure) {}

  /** Reads the files of settings, and reports what is wrong or missing. */
  public ServerAccess(TableValues settings, Keys keys) {
    this.settings = settings;
    this.keys = keys;
    tokens = readTokens();
    certificate = findCertificate();
    reportLacks();
  }

  private @Nullable TokenFile readTokens() {
    Path file = settings.path(keys.tokens());
    try {
      return file == null ? null : TokenFile.of(file);
    } catch (UsageException e) {
      settings.report(keys.tokens(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable CertificateFiles findCertificate() {
    Path file = settings.path(keys.certificate());
    Path key = settings.path(keys.key());
    if (file != null && key != null) {
      try {
        return CertificateFiles.of(file, key);
      } catch (UsageException e) {
        settings.report(keys.key(), String.valueOf(e.getMessage()));
      }
    } else if (file != null || key != null) {
      settings.report(
          file == null ? keys.key() : keys.certificate(),
          "TLS needs both --tls-cert and --tls-key");
    }
    return null;
  }

  /** A file that cannot be used has its own problem. */
  private void reportLacks() {
    List<String> lacks = new ArrayList<>();
    if (settings.path(keys.tokens()) == null) {
      lacks.add("token");
    }
    if (settings.path(keys.certificate()) == null && settings.path(keys.key()) == null) {
      lacks.add("TLS");
    }
    ListenAddress listen = settings.get(keys.listen());
    if (!lacks.isEmpty() && !settings.get(keys.insecure()) && !listen.isLoopback()) {
      settings.report(
          keys.listen(),
          "other hosts can reach "
              + listen
              + ", and there is no "
              + String.join(" and no ", lacks)
              + "; give --token-file, --tls-cert and --tls-key, or --insecure");
    }
  }

  /** Returns the keys of the table. */
  public Keys keys() {
    return keys;
  }

  /** Returns the tokens; null if none is needed. */
  public @Nullable TokenFile tokens() {
    return tokens;
  }

  /** Returns the files of TLS; null if there are none. */
  public @Nullable CertificateFiles certificate() {
    return certificate;
  }

  /** Returns a line for each secret that every user of this host can read. */
  public List<String> readableSecrets() {
    return TrustedFile.readableByAll(
        Stream.of(keys.tokens(), keys.key()).map(settings::path).filter(Objects::nonNull).toList());
  }
}
