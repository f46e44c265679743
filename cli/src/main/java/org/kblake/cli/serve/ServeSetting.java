package org.kblake.cli.serve;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of the table {@code serve} in kblake.toml. */
public enum ServeSetting {
  LISTEN("listen", "127.0.0.1:17668", ServeForm.ADDRESS),
  HOST("host", null, ServeForm.NAMES),
  TOKEN_FILE("token-file", null, ServeForm.FILE),
  ALLOW("allow", null, ServeForm.BLOCKS),
  TLS_CERT("tls-cert", null, ServeForm.FILE),
  TLS_KEY("tls-key", null, ServeForm.FILE),
  CORS("cors", "no", ServeForm.SWITCH),
  INSECURE("insecure", "no", ServeForm.SWITCH),
  REQUEST_LOG("request-log", "no", ServeForm.SWITCH),
  TRENDS("trends", "16", ServeForm.COUNT),
  EXPORTS("exports", "4", ServeForm.COUNT),
  STREAMS("streams", "64", ServeForm.COUNT),
  CONNECTIONS("connections", "4096", ServeForm.COUNT),
  CONNECTIONS_PER_ADDRESS("connections-per-address", "512", ServeForm.COUNT),
  REQUESTS_PER_CLIENT("requests-per-client", "200", ServeForm.COUNT),
  HEADER_TIME("header-time", "15s", ServeForm.DURATION),
  MIN_RATE("least-rate", "1k", ServeForm.SIZE),
  MEMORY("memory", null, ServeForm.SIZE),
  TREND_TIME("trend-time", "1m", ServeForm.DURATION),
  EXPORT_TIME("export-time", "30m", ServeForm.DURATION),
  IDLE("idle", "30s", ServeForm.DURATION);

  private final String key;
  private final @Nullable String preset;
  private final ServeForm form;

  ServeSetting(String key, @Nullable String preset, ServeForm form) {
    this.key = key;
    this.preset = preset;
    this.form = form;
  }

  /** Returns the key in kblake.toml, which is also the name of the option if there is one. */
  public String key() {
    return key;
  }

  /** Returns the default, or null if there is none. */
  @Nullable String preset() {
    return preset;
  }

  ServeForm form() {
    return form;
  }

  static @Nullable ServeSetting ofKey(String key) {
    return Arrays.stream(values())
        .filter(setting -> setting.key.equals(key))
        .findFirst()
        .orElse(null);
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(setting -> setting.key).toList();
  }
}
