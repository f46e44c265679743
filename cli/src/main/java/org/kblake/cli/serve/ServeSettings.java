package org.kblake.cli.serve;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.CertificateFiles;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.run.settings.ListenAddress;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.cli.settings.UnexpectedValue;
import org.kblake.core.internal.names.NearestNames;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.AddressBlock;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;
import org.kblake.server.settings.TlsFiles;

/**
 * The settings of {@code kblake serve}. Options precede the table {@code serve} of the settings
 * file.
 */
public final class ServeSettings {

  private static final String TABLE = "serve";

  private final Map<ServeSetting, Value> values = new EnumMap<>(ServeSetting.class);
  private final Settings settings;
  private final String where;
  private final Consumer<String> problems;
  private AccessSettings access = AccessSettings.open();
  private @Nullable TokenFile tokenFile;
  private @Nullable CertificateFiles certificateFiles;

  /**
   * The value of a setting.
   *
   * @param text the text; null if it is not set
   * @param parsed the parsed value; null if it is not set
   * @param source the origin of the value
   */
  private record Value(@Nullable String text, @Nullable Object parsed, String source) {}

  /**
   * A setting as text.
   *
   * @param key the key, with the name of its table
   */
  public record Line(String key, String value, String source) {}

  private ServeSettings(Settings settings, Consumer<String> problems) {
    this.settings = settings;
    this.where = String.valueOf(settings.file());
    this.problems = problems;
  }

  /**
   * Resolves the settings.
   *
   * @param settings the settings of all commands, whose file is read
   * @param options the values of the given options
   * @param problems gets a line on each wrong value; the default then applies
   */
  public static ServeSettings of(
      Settings settings, Map<ServeSetting, String> options, Consumer<String> problems) {
    ServeSettings serve = new ServeSettings(settings, problems);
    for (ServeSetting setting : ServeSetting.values()) {
      String preset = setting.preset();
      serve.values.put(
          setting,
          preset == null
              ? new Value(null, null, "not set")
              : new Value(preset, setting.form().parse(preset), "default"));
    }
    settings.serve().forEach((key, value) -> serve.fromFile(String.valueOf(key), value));
    options.forEach(
        (setting, text) ->
            serve.put(setting, text, "--" + setting.key(), "--" + setting.key() + ": "));
    serve.access = serve.readAccess();
    return serve;
  }

  private void fromFile(String key, Object value) {
    ServeSetting setting = ServeSetting.ofKey(key);
    String line = settings.place(List.of(TABLE, key)) + ": ";
    String name = TABLE + "." + key;
    if (setting == null) {
      problems.accept(
          "%sunknown key '%s'%s (keys: %s)"
              .formatted(
                  line,
                  name,
                  NearestNames.hint(key, ServeSetting.keys()),
                  String.join(", ", ServeSetting.keys())));
    } else if (value instanceof String text) {
      put(setting, text, where, line + name + ": ");
    } else if (setting.form() == ServeForm.COUNT && value instanceof UnexpectedValue number) {
      put(setting, number.toString(), where, line + name + ": ");
    } else {
      problems.accept(line + name + " must be a text in quotes, found " + value);
    }
  }

  private void put(ServeSetting setting, String text, String source, String place) {
    try {
      values.put(setting, new Value(text, setting.form().parse(text), source));
    } catch (IllegalArgumentException e) {
      problems.accept(place + e.getMessage());
    }
  }

  private AccessSettings readAccess() {
    AccessSettings read =
        new AccessSettings(
            list(ServeSetting.HOST, String.class),
            tokens(),
            list(ServeSetting.ALLOW, AddressBlock.class),
            isOn(ServeSetting.CORS),
            tls(),
            isOn(ServeSetting.INSECURE));
    // A token that cannot be read has its own problem.
    List<String> lacks = new ArrayList<>(read.lacks(listen().socketAddress()));
    lacks.removeIf(lack -> lack.equals("token") && file(ServeSetting.TOKEN_FILE) != null);
    lacks.removeIf(
        lack ->
            lack.equals("TLS")
                && (file(ServeSetting.TLS_CERT) != null || file(ServeSetting.TLS_KEY) != null));
    if (!lacks.isEmpty()) {
      problems.accept(
          place(ServeSetting.LISTEN)
              + ": other hosts can reach "
              + listen()
              + ", and there is no "
              + String.join(" and no ", lacks)
              + "; give --token-file, --tls-cert and --tls-key, or --insecure");
    }
    return read;
  }

  private @Nullable AccessTokens tokens() {
    Path file = file(ServeSetting.TOKEN_FILE);
    if (file == null) {
      return null;
    }
    try {
      tokenFile = TokenFile.of(file);
      return tokenFile.tokens();
    } catch (UsageException e) {
      problems.accept(place(ServeSetting.TOKEN_FILE) + ": " + e.getMessage());
      return null;
    }
  }

  private @Nullable TlsFiles tls() {
    Path certificate = file(ServeSetting.TLS_CERT);
    Path key = file(ServeSetting.TLS_KEY);
    if (certificate != null && key != null) {
      try {
        certificateFiles = CertificateFiles.of(certificate, key);
      } catch (UsageException e) {
        problems.accept(place(ServeSetting.TLS_KEY) + ": " + e.getMessage());
      }
      return new TlsFiles(certificate, key);
    }
    if (certificate != null || key != null) {
      problems.accept(
          place(certificate == null ? ServeSetting.TLS_KEY : ServeSetting.TLS_CERT)
              + ": TLS needs both --tls-cert and --tls-key");
    }
    return null;
  }

  /** Returns the origin of a setting for messages, with the line if it is in a file. */
  private String place(ServeSetting setting) {
    String source = value(setting).source;
    return source.equals(where) ? settings.place(List.of(TABLE, setting.key())) : source;
  }

  /** Returns a line for each secret that every user of this host can read. */
  public List<String> readableSecrets() {
    return TrustedFile.readableByAll(
        Stream.of(ServeSetting.TOKEN_FILE, ServeSetting.TLS_KEY)
            .map(this::file)
            .filter(Objects::nonNull)
            .toList());
  }

  /** Returns where to listen. */
  public ListenAddress listen() {
    return (ListenAddress) Objects.requireNonNull(value(ServeSetting.LISTEN).parsed);
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
        count(ServeSetting.TRENDS),
        count(ServeSetting.EXPORTS),
        count(ServeSetting.STREAMS),
        usual.waiting(),
        usual.longestWait(),
        duration(ServeSetting.TREND_TIME),
        duration(ServeSetting.EXPORT_TIME),
        duration(ServeSetting.IDLE),
        usual.stop(),
        new ConnectionLimits(
            count(ServeSetting.CONNECTIONS),
            count(ServeSetting.CONNECTIONS_PER_ADDRESS),
            duration(ServeSetting.HEADER_TIME),
            (int) Math.min(Integer.MAX_VALUE, size(ServeSetting.MIN_RATE, 0))),
        count(ServeSetting.REQUESTS_PER_CLIENT),
        size(ServeSetting.MEMORY, usual.memoryBytes()));
  }

  /** Returns a setting that is yes or no. */
  public boolean isOn(ServeSetting setting) {
    return Boolean.TRUE.equals(value(setting).parsed);
  }

  private int count(ServeSetting setting) {
    return (Integer) Objects.requireNonNull(value(setting).parsed);
  }

  private long size(ServeSetting setting, long missing) {
    return value(setting).parsed instanceof Long bytes ? bytes : missing;
  }

  private Duration duration(ServeSetting setting) {
    return (Duration) Objects.requireNonNull(value(setting).parsed);
  }

  private <T> List<T> list(ServeSetting setting, Class<T> type) {
    return value(setting).parsed instanceof List<?> list
        ? list.stream().map(type::cast).toList()
        : List.of();
  }

  /** Returns a file: relative to the settings file that names it, or to the working directory. */
  private @Nullable Path file(ServeSetting setting) {
    Value value = value(setting);
    Path base = settings.file();
    if (!(value.parsed instanceof Path written)) {
      return null;
    }
    return base != null && value.source.equals(where)
        ? base.resolveSibling(written)
        : settings.resolve(written);
  }

  private Value value(ServeSetting setting) {
    return Objects.requireNonNull(values.get(setting));
  }

  /** Returns all settings in the order of {@link ServeSetting}. */
  public List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    values.forEach(
        (setting, value) ->
            lines.add(
                new Line(
                    TABLE + "." + setting.key(),
                    value.text == null ? "-" : value.text,
                    value.source)));
    return lines;
  }
}
