package org.kblake.cli.run.settings;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of the table {@code run} in kblake.toml. */
public enum RunSetting {
  POLL(
      "poll",
      "1s",
      SettingForm.DURATION,
      "interval between polls of the files; on a local disk a change is also found at once"),
  SEAL_AGE(
      "seal-age", "10m", SettingForm.DURATION, "whole segments older than this become a block"),
  SEAL_BYTES(
      "seal-bytes", "64M", SettingForm.SIZE, "whole segments of this size become a block at once"),
  SEAL_EVENTS(
      "seal-events",
      "32",
      SettingForm.LEAST,
      "groups with fewer events per channel and block are sealed by size only"),
  RECHECK(
      "recheck",
      "5m",
      SettingForm.DURATION,
      "interval between comparisons of new blocks with their logs"),
  THREADS("threads", "2", SettingForm.COUNT, "number of cores to use"),
  MEMORY("memory", "256M", SettingForm.SIZE, "memory for events that become columns, at least 16M"),
  IO_LIMIT(
      "io-limit", null, SettingForm.SIZE, "limit of bytes per second for all reads of the archive"),
  CODEC("codec", "lz4", SettingForm.CODEC, "compression of columns: none, lz4, gzip, zstd"),
  AGED_CODEC(
      "aged-codec",
      null,
      SettingForm.CODEC,
      "compression of columns of old events; without it they keep theirs"),
  AGED_AFTER("aged-after", "90d", SettingForm.DURATION, "events older than this are old"),
  SCRUB_CYCLE(
      "scrub-cycle", "30d", SettingForm.DURATION, "every block is verified once in this period"),
  BUDGET("budget", null, SettingForm.SIZE, "the store, its trash included, stays below this size"),
  FREE("free", null, SettingForm.SIZE, "this much of the store's disk stays free"),
  EVICTION(
      "eviction",
      "least-recently-used",
      SettingForm.EVICTION,
      "which blocks are evicted first: least-recently-used, oldest"),
  RETAIN("retain", "no", SettingForm.SWITCH, "yes: never evict, for a store that replaces logs"),
  MIRROR(
      "mirror",
      null,
      SettingForm.DIRECTORY,
      "directory on a local disk for copies of growing logs"),
  MODE(
      "mode",
      "follow",
      SettingForm.MODE,
      "when logs become columns: follow (as they grow), on-read (when they are read), never"),
  STALE_WARNING(
      "stale-warning",
      null,
      SettingForm.DURATION_OR_NEVER,
      "kblake check warns if a group has no event for this time; never: it does not"),
  STALE_CRITICAL(
      "stale-critical",
      null,
      SettingForm.DURATION_OR_NEVER,
      "kblake check is critical if a group has no event for this time; never: it is not"),
  LISTEN("listen", null, SettingForm.ADDRESS, "HOST:PORT of /metrics, /health and /ready"),
  TOKEN_FILE(
      "token-file", null, SettingForm.FILE, "a file with the tokens that clients of /metrics send"),
  INSECURE("insecure", "no", SettingForm.SWITCH, "yes: other hosts get /metrics without a token"),
  STATUS_INTERVAL(
      "status-interval", "5s", SettingForm.DURATION, "interval between writes of the status file"),
  LOG_FORMAT("log-format", "text", SettingForm.LOG_FORMAT, "text (lines of key=value), or json");

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

  /** Returns the key in kblake.toml, which is also the name of the option if there is one. */
  public String key() {
    return key;
  }

  /** Returns the default, or null if there is none. */
  public @Nullable String preset() {
    return preset;
  }

  /** Returns a few words for help and manual. */
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
