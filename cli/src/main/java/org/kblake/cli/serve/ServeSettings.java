package org.kblake.cli.serve;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.CertificateFiles;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.TableValues;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;
import org.kblake.server.settings.TlsFiles;

/**
 * The settings of {@code kblake serve}. Options precede the table {@code serve} of the settings
 * file.
 */
public final class ServeSettings extends TableValues {

  private AccessSettings access = AccessSettings.open();
  private @Nullable TokenFile tokenFile;
  private @Nullable CertificateFiles certificateFiles;

  private ServeSettings(Settings settings, Consumer<String> problems) {
    super(ServeSetting.TABLE, settings, problems);
  }

  /**
   * Resolves the settings.
   *
   * @param settings the settings of all commands, whose file is read
   * @param options the texts of the given options
   * @param problems gets a line on each wrong value; the default then applies
   */
  public static ServeSettings of(
      Settings settings, Map<SettingKey<?>, String> options, Consumer<String> problems) {
    ServeSettings serve = new ServeSettings(settings, problems);
    serve.read(options);
    serve.access = serve.readAccess();
    return serve;
  }

  private AccessSettings readAccess() {
    AccessSettings read =
        new AccessSettings(
            orElse(ServeSetting.HOST, List.of()),
            tokens(),
            orElse(ServeSetting.ALLOW, List.of()),
            get(ServeSetting.CORS),
            tls(),
            get(ServeSetting.INSECURE));
    // A token that cannot be read has its own problem.
    List<String> lacks = new ArrayList<>(read.lacks(listen().socketAddress()));
    lacks.removeIf(lack -> lack.equals("token") && path(ServeSetting.TOKEN_FILE) != null);
    lacks.removeIf(
        lack ->
            lack.equals("TLS")
                && (path(ServeSetting.TLS_CERT) != null || path(ServeSetting.TLS_KEY) != null));
    if (!lacks.isEmpty()) {
      report(
          ServeSetting.LISTEN,
          "other hosts can reach "
              + listen()
              + ", and there is no "
              + String.join(" and no ", lacks)
              + "; give --token-file, --tls-cert and --tls-key, or --insecure");
    }
    return read;
  }

  private @Nullable AccessTokens tokens() {
    Path file = path(ServeSetting.TOKEN_FILE);
    if (file == null) {
      return null;
    }
    try {
      tokenFile = TokenFile.of(file);
      return tokenFile.tokens();
    } catch (UsageException e) {
      report(ServeSetting.TOKEN_FILE, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable TlsFiles tls() {
    Path certificate = path(ServeSetting.TLS_CERT);
    Path key = path(ServeSetting.TLS_KEY);
    if (certificate != null && key != null) {
      try {
        certificateFiles = CertificateFiles.of(certificate, key);
      } catch (UsageException e) {
        report(ServeSetting.TLS_KEY, String.valueOf(e.getMessage()));
      }
      return new TlsFiles(certificate, key);
    }
    if (certificate != null || key != null) {
      report(
          certificate == null ? ServeSetting.TLS_KEY : ServeSetting.TLS_CERT,
          "TLS needs both --tls-cert and --tls-key");
    }
    return null;
  }

  /** Returns a line for each secret that every user of this host can read. */
  public List<String> readableSecrets() {
    return TrustedFile.readableByAll(
        Stream.of(ServeSetting.TOKEN_FILE, ServeSetting.TLS_KEY)
            .map(this::path)
            .filter(Objects::nonNull)
            .toList());
  }

  /** Returns where to listen. */
  public ListenAddress listen() {
    return get(ServeSetting.LISTEN);
  }

  /** Returns who may ask. */
  public AccessSettings access() {
    return access;
  }

  /** Returns the file of the tokens of {@link #access}; null if there is none. */
  public @Nullable TokenFile tokenFile() {
    return tokenFile;
  }

  /** Returns the files of TLS of {@link #access}; null if there are none. */
  public @Nullable CertificateFiles certificateFiles() {
    return certificateFiles;
  }

  /** Returns how much the server does at once. */
  public ServerLimits limits() {
    ServerLimits usual = ServerLimits.defaults();
    return new ServerLimits(
        get(ServeSetting.TRENDS),
        get(ServeSetting.EXPORTS),
        get(ServeSetting.STREAMS),
        usual.waiting(),
        usual.longestWait(),
        get(ServeSetting.TREND_TIME),
        get(ServeSetting.EXPORT_TIME),
        get(ServeSetting.IDLE),
        usual.stop(),
        new ConnectionLimits(
            get(ServeSetting.CONNECTIONS),
            get(ServeSetting.CONNECTIONS_PER_ADDRESS),
            get(ServeSetting.HEADER_TIME),
            (int) Math.min(Integer.MAX_VALUE, get(ServeSetting.MIN_RATE))),
        get(ServeSetting.REQUESTS_PER_CLIENT),
        orElse(ServeSetting.MEMORY, usual.memoryBytes()));
  }

  private <T> T orElse(SettingKey<T> key, T missing) {
    return Objects.requireNonNullElse(find(key), missing);
  }
}
