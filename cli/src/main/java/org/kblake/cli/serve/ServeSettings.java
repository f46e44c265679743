package org.kblake.cli.serve;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.kblake.cli.access.CertificateFiles;
import org.kblake.cli.access.ServerAccess;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.TableValues;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;

/**
 * The settings of {@code kblake serve}. Options precede the table {@code serve} of the settings
 * file.
 */
public final class ServeSettings extends TableValues {

  private static final ServerAccess.Keys KEYS =
      new ServerAccess.Keys(
          ServeSetting.LISTEN,
          ServeSetting.TOKEN_FILE,
          ServeSetting.TLS_CERT,
          ServeSetting.TLS_KEY,
          ServeSetting.INSECURE);

  private final ServerAccess files;

  private ServeSettings(
      Settings settings, Map<SettingKey<?>, String> options, Consumer<String> problems) {
    super(ServeSetting.TABLE, settings, problems);
    read(options);
    files = new ServerAccess(this, KEYS);
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
    return new ServeSettings(settings, options, problems);
  }

  /** Returns where to listen. */
  public ListenAddress listen() {
    return get(ServeSetting.LISTEN);
  }

  /** Returns who may ask. */
  public AccessSettings access() {
    TokenFile tokens = files.tokens();
    CertificateFiles certificate = files.certificate();
    return new AccessSettings(
        orElse(ServeSetting.HOST, List.of()),
        tokens == null ? null : tokens.tokens(),
        orElse(ServeSetting.ALLOW, List.of()),
        get(ServeSetting.CORS),
        certificate == null ? null : certificate.files(),
        get(ServeSetting.INSECURE));
  }

  /** Returns the files of tokens and TLS. */
  public ServerAccess files() {
    return files;
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
