package org.kblake.cli.gather;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.ServerAccess;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.TableValues;
import org.kblake.server.settings.AccessToken;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.shape.SendingLimits;
import org.kblake.transfer.shape.ShapingScript;

/**
 * The settings of {@code kblake gather}. Options precede the table {@code gather} of the settings
 * file.
 */
public final class GatherSettings extends TableValues {

  /** The name of the table. */
  public static final String NAME = "gather";

  private static final ServerAccess.Keys KEYS =
      new ServerAccess.Keys(
          GatherSetting.LISTEN,
          GatherSetting.TOKEN_FILE,
          GatherSetting.TLS_CERT,
          GatherSetting.TLS_KEY,
          GatherSetting.INSECURE);

  private final BuilderMap builders;
  private final ServerAccess access;

  private GatherSettings(
      Settings settings, Map<SettingKey<?>, String> options, Consumer<String> problems) {
    super(GatherSetting.TABLE, settings, problems);
    read(options);
    builders = readMap();
    access = new ServerAccess(this, KEYS);
    checkMetrics();
  }

  /**
   * Resolves the settings.
   *
   * @param settings the settings of all commands, whose file is read
   * @param options the texts of the given options
   * @param problems gets a line on each wrong value; the default then applies
   */
  public static GatherSettings of(
      Settings settings, Map<SettingKey<?>, String> options, Consumer<String> problems) {
    return new GatherSettings(settings, options, problems);
  }

  private void checkMetrics() {
    ListenAddress metrics = find(GatherSetting.METRICS_LISTEN);
    if (metrics != null
        && !metrics.isLoopback()
        && path(GatherSetting.TOKEN_FILE) == null
        && !get(GatherSetting.INSECURE)) {
      report(
          GatherSetting.METRICS_LISTEN,
          "other hosts can reach " + metrics + ", and there is no token; give --token-file");
    }
  }

  private BuilderMap readMap() {
    List<BuilderMap.Entry> entries = find(GatherSetting.BUILDERS);
    try {
      return new BuilderMap(entries == null ? List.of() : entries, get(GatherSetting.TAKEOVER));
    } catch (IllegalArgumentException e) {
      report(GatherSetting.BUILDERS, String.valueOf(e.getMessage()));
      return new BuilderMap(List.of(), Duration.ZERO);
    }
  }

  /** Returns where to listen for control. */
  public ListenAddress listen() {
    return get(GatherSetting.LISTEN);
  }

  private int dataPort() {
    int port = listen().port();
    return Objects.requireNonNullElse(
        find(GatherSetting.DATA_PORT), port == 0 ? 0 : port % 65_535 + 1);
  }

  /** Returns where to listen for data. */
  public InetSocketAddress dataAddress() {
    return new ListenAddress(listen().host(), dataPort()).socketAddress();
  }

  /**
   * Returns the script that shapes by the keys {@code tc-...}.
   *
   * @throws UsageException if one of them is missing, or they contradict each other
   */
  public String shaping() throws UsageException {
    try {
      return new ShapingScript(
              needed(GatherSetting.TC_DEVICE),
              needed(GatherSetting.TC_LINE),
              get(GatherSetting.TC_CONTROL),
              needed(GatherSetting.TC_DATA),
              needed(GatherSetting.TC_BUILDERS))
          .text(listen().port(), dataPort());
    } catch (IllegalArgumentException e) {
      throw new UsageException("--tc: " + e.getMessage(), e);
    }
  }

  /** Returns what is sent at most. */
  public SendingLimits limits() {
    return new SendingLimits(find(GatherSetting.DATA_RATE), find(GatherSetting.BUILDER_RATE));
  }

  private <T> T needed(SettingKey<T> key) {
    T value = find(key);
    if (value == null) {
      throw new IllegalArgumentException("it needs " + key.name() + " in [gather]");
    }
    return value;
  }

  /** Returns who gets which groups. */
  public BuilderMap builders() {
    return builders;
  }

  /** Returns the files of tokens and TLS. */
  public ServerAccess access() {
    return access;
  }

  /** Returns why a builder is refused; null if it is admitted. */
  public @Nullable String refusal(String builder, String sent) {
    TokenFile file = access.tokens();
    if (file == null) {
      return null;
    }
    AccessToken token = file.tokens().find(sent);
    if (token == null) {
      return sent.isEmpty() ? "a token is needed; set gather-token-file" : "the token is unknown";
    }
    if (token.isExpired(Instant.now())) {
      return token.expiry();
    }
    return token.name().isEmpty() || token.name().equals(builder)
        ? null
        : "the token is that of another builder: builder=" + builder;
  }
}
