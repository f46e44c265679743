package org.kblake.cli.run.settings;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of kblake.toml's table {@code run}. */
public enum RunSetting {
  POLL(
      "poll",
      "1s",
      SettingForm.DURATION,
      "how often files are looked at; on a local disk also as soon as they change"),
  SEAL_AGE("seal-age", "10m", SettingForm.DURATION, "whole segments older than this are sealed"),
  SEAL_BYTES(
      "seal-bytes",
      "64M",
      SettingForm.SIZE,
      "when whole segments are this large, they are sealed at once"),
  SEAL_EVENTS(
      "seal-events",
      "32",
      SettingForm.LEAST,
      "groups with fewer events per channel and block are sealed by size alone"),
  RECHECK("recheck", "5m", SettingForm.DURATION, "when young blocks are compared with their logs"),
  THREADS("threads", "2", SettingForm.COUNT, "how many cores to use"),
  MEMORY("memory", "256M", SettingForm.SIZE, "for events on their way to columns, at least 16M"),
  IO_LIMIT(
      "io-limit",
      null,
      SettingForm.SIZE,
      "the most bytes a second that are read from the archive, for all purposes"),
  CODEC("codec", "lz4", SettingForm.CODEC, "compression of columns: none, lz4, gzip, zstd"),
  AGED_CODEC("aged-codec", null, SettingForm.CODEC, "compression of columns of old events"),
  AGED_AFTER("aged-after", "90d", SettingForm.DURATION, "events older than this are old"),
  SCRUB_CYCLE(
      "scrub-cycle", "30d", SettingForm.DURATION, "every block is verified once in this time"),
  BUDGET("budget", null, SettingForm.SIZE, "the store, its trash included, stays below this size"),
  FREE("free", null, SettingForm.SIZE, "this much of the store's disk stays free"),
  EVICTION(
      "eviction",
      "least-recently-used",
      SettingForm.EVICTION,
      "which blocks are evicted first: least-recently-used, oldest"),
  RETAIN("retain", "no", SettingForm.SWITCH, "yes: never evict, for a store that replaces logs"),
  MIRROR("mirror", null, SettingForm.DIRECTORY, "copies of logs that grow, on a local disk"),
  MODE("mode", "follow", SettingForm.MODE, "when logs become columns: follow, on-read, never"),
  LISTEN("listen", null, SettingForm.ADDRESS, "HOST:PORT of /metrics, /health and /ready"),
  STATUS_INTERVAL("status-interval", "5s", SettingForm.DURATION, "how often the status is written"),
  LOG_FORMAT("log-format", "text", SettingForm.LOG_FORMAT, "lines of key=value (text), or json");

  private final String key;
  private final @Nullable String preset;
  private final SettingForm form;
  private final String meaning;

  RunSetting(String key, @Nullable String preset, SettingForm form, String meaning) {
    this.key = key;
    this.preset = preset;
    this.form = form;
    this.meaning = meaning;
  }

  /** The key in kblake.toml, and the option's name where there is one. */
  public String key() {
    return key;
  }

  /** The value where nothing else says one, or null if there is none. */
  public @Nullable String preset() {
    return preset;
  }

  /** A few words for help and manual. */
  public String meaning() {
    return meaning;
  }

  SettingForm form() {
    return form;
  }

  static @Nullable RunSetting ofKey(String key) {
    return Arrays.stream(values())
        .filter(setting -> setting.key.equals(key))
        .findFirst()
        .orElse(null);
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(setting -> setting.key).toList();
  }
}
