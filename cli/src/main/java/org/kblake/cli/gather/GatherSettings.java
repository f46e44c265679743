package org.kblake.cli.gather;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.kblake.server.settings.AccessToken;
import org.kblake.server.settings.TlsFiles;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.shape.BitRate;
import org.kblake.transfer.shape.SendingLimits;
import org.kblake.transfer.shape.ShapedBuilder;
import org.kblake.transfer.shape.ShapingPlan;

/**
 * The settings of {@code kblake gather}. Options precede the table {@code gather} of the settings
 * file.
 */
public final class GatherSettings extends TableValues {

  /** The name of the table. */
  public static final String NAME = "gather";

  private @Nullable TokenFile tokens;
  private @Nullable TlsFiles tls;
  private BuilderMap builders;

  private GatherSettings(Settings settings, Consumer<String> problems) {
    super(GatherSetting.TABLE, settings, problems);
    builders = new BuilderMap(List.of(), Duration.ZERO);
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
    GatherSettings gather = new GatherSettings(settings, problems);
    gather.read(options);
    gather.readMap();
    gather.readAccess();
    return gather;
  }

  private void readMap() {
    List<BuilderMap.Entry> entries = find(GatherSetting.BUILDERS);
    try {
      builders = new BuilderMap(entries == null ? List.of() : entries, get(GatherSetting.TAKEOVER));
    } catch (IllegalArgumentException e) {
      report(GatherSetting.BUILDERS, String.valueOf(e.getMessage()));
    }
  }

  private void readAccess() {
    Path file = path(GatherSetting.TOKEN_FILE);
    Path certificate = path(GatherSetting.TLS_CERT);
    Path key = path(GatherSetting.TLS_KEY);
    try {
      tokens = file == null ? null : TokenFile.of(file);
      if (certificate != null && key != null) {
        tls = CertificateFiles.of(certificate, key).files();
      } else if (certificate != null || key != null) {
        report(GatherSetting.LISTEN, "TLS needs both --tls-cert and --tls-key");
      }
    } catch (UsageException e) {
      report(GatherSetting.LISTEN, String.valueOf(e.getMessage()));
    }
    boolean lacks = file == null || certificate == null;
    boolean loopback = listen().isLoopback() && dataListen().isLoopback();
    if (lacks && !loopback && !get(GatherSetting.INSECURE)) {
      report(
          GatherSetting.LISTEN,
          "other hosts can reach "
              + listen()
              + ", and there is no token or no TLS; give --token-file, --tls-cert and --tls-key,"
              + " or --insecure");
    }
  }

  /** Returns a line for each secret that every user of this host can read. */
  public List<String> readableSecrets() {
    return TrustedFile.readableByAll(
        Stream.of(GatherSetting.TOKEN_FILE, GatherSetting.TLS_KEY)
            .map(this::path)
            .filter(Objects::nonNull)
            .toList());
  }

  /** Returns where to listen for control. */
  public ListenAddress listen() {
    return get(GatherSetting.LISTEN);
  }

  private ListenAddress dataListen() {
    ListenAddress listen = listen();
    ListenAddress given = find(GatherSetting.DATA_LISTEN);
    int next = listen.port() == 0 ? 0 : listen.port() % 65_535 + 1;
    return given == null ? new ListenAddress(listen.host(), next) : given;
  }

  /** Returns where to listen for data. */
  public InetSocketAddress dataAddress() {
    return dataListen().socketAddress();
  }

  /**
   * Returns what is shaped, by the keys {@code tc-...}.
   *
   * @throws UsageException if one of them is missing, or they contradict each other
   */
  public ShapingPlan shaping() throws UsageException {
    try {
      BitRate data = needed(GatherSetting.TC_DATA);
      List<ShapedBuilder> shaped = new ArrayList<>();
      for (BuilderShare each : needed(GatherSetting.TC_BUILDERS)) {
        BitRate most = Objects.requireNonNullElse(each.most(), data);
        shaped.add(new ShapedBuilder(each.addresses(), listen().port(), dataListen().port(), most));
      }
      return new ShapingPlan(
          needed(GatherSetting.TC_DEVICE),
          needed(GatherSetting.TC_LINE),
          get(GatherSetting.TC_CONTROL),
          data,
          shaped);
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

  /** Returns the files of TLS; null if there are none. */
  public @Nullable TlsFiles tls() {
    return tls;
  }

  /** Returns why a builder is refused; null if it is admitted. */
  public @Nullable String refusal(String builder, String sent) {
    TokenFile file = tokens;
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

  /** Reads the tokens again if their file has changed. */
  public void readTokensAgain() {
    if (tokens != null) {
      boolean unused = tokens.readAgain(false);
    }
  }
}
