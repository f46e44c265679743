package org.kblake.cli.run.settings;

import static org.kblake.cli.settings.SettingType.ADDRESS;
import static org.kblake.cli.settings.SettingType.COUNT;
import static org.kblake.cli.settings.SettingType.DIRECTORY;
import static org.kblake.cli.settings.SettingType.DURATION;
import static org.kblake.cli.settings.SettingType.FILE;
import static org.kblake.cli.settings.SettingType.SIZE;
import static org.kblake.cli.settings.SettingType.SWITCH;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingType;
import org.kblake.cli.settings.SettingsTable;
import org.kblake.core.columns.Codec;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.transfer.GroupPattern;
import org.kblake.transfer.collect.BuilderMap;

/** The keys of the table {@code run} in kblake.toml. */
public final class RunSetting {

  public static final SettingsTable TABLE = new SettingsTable("run", ": ");

  /** The value {@code never} of a setting that is a duration. */
  public static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

  private static final SettingType<Duration> OR_NEVER =
      SettingType.of(
          "DURATION", text -> text.equals("never") ? NEVER : DURATION.parser().apply(text));

  private static final SettingType<Long> SOME_BYTES =
      SIZE.in(bytes -> bytes > 0, "must be more than 0");

  public static final SettingKey<Duration> POLL =
      TABLE
          .key("poll", DURATION, "1s")
          .means(
              "interval between polls of the files; on a local disk a change is also found at once")
          .option("Interval between polls of the files; default: 1s.");
  public static final SettingKey<Duration> SEAL_AGE =
      TABLE.key("seal-age", DURATION, "10m").means("whole segments older than this become a block");
  public static final SettingKey<Long> SEAL_BYTES =
      TABLE
          .key("seal-bytes", SOME_BYTES, "64M")
          .means("whole segments of this size become a block at once");
  public static final SettingKey<Integer> SEAL_EVENTS =
      TABLE
          .key("seal-events", SettingType.count(0), "32")
          .means("groups with fewer events per channel and block are sealed by size only");
  public static final SettingKey<Duration> RECHECK =
      TABLE
          .key("recheck", DURATION, "5m")
          .means("interval between comparisons of new blocks with their logs");
  public static final SettingKey<Integer> THREADS =
      TABLE
          .key("threads", COUNT, "2")
          .means("number of cores to use")
          .option("Number of cores to use; default: 2.");
  public static final SettingKey<Long> MEMORY =
      TABLE
          .key(
              "memory",
              SIZE.in(
                  bytes -> bytes >= BackfillSettings.MIN_MEMORY_BYTES,
                  "must be at least 16M, found %s"),
              "256M")
          .means("memory for events that become columns, at least 16M")
          .option("Memory for events that become columns; default: 256M.");
  public static final SettingKey<Long> IO_LIMIT =
      TABLE
          .key("io-limit", SOME_BYTES)
          .means("limit of bytes per second for all reads of the archive")
          .option("Limit of bytes per second that are read from the archive; default: no limit.");
  public static final SettingKey<Codec> CODEC =
      TABLE
          .key("codec", SettingType.constant(Codec.class), "lz4")
          .means("compression of columns: none, lz4, gzip, zstd");
  public static final SettingKey<Codec> AGED_CODEC =
      TABLE
          .key("aged-codec", SettingType.constant(Codec.class))
          .means("compression of columns of old events; without it they keep theirs");
  public static final SettingKey<Duration> AGED_AFTER =
      TABLE.key("aged-after", DURATION, "90d").means("events older than this are old");
  public static final SettingKey<Duration> SCRUB_CYCLE =
      TABLE
          .key("scrub-cycle", DURATION, "30d")
          .means("every block is verified once in this period");
  public static final SettingKey<Long> BUDGET =
      TABLE.key("budget", SOME_BYTES).means("the store, its trash included, stays below this size");
  public static final SettingKey<Long> FREE =
      TABLE.key("free", SIZE).means("this much of the store's disk stays free");
  public static final SettingKey<Eviction> EVICTION =
      TABLE
          .key("eviction", SettingType.constant(Eviction.class), "least-recently-used")
          .means("which blocks are evicted first: least-recently-used, oldest");
  public static final SettingKey<Boolean> RETAIN =
      TABLE.key("retain", SWITCH, "no").means("yes: never evict, for a store that replaces logs");
  public static final SettingKey<Path> MIRROR =
      TABLE
          .key("mirror", DIRECTORY)
          .means("directory on a local disk for copies of growing logs")
          .option(
              "Copy growing logs to this directory on a local disk, so that readers need not wait for the archive.");
  public static final SettingKey<Mode> MODE =
      TABLE
          .key("mode", SettingType.constant(Mode.class), "follow")
          .means(
              "when logs become columns: follow (as they grow), on-read (when they are read), never");
  public static final SettingKey<Duration> STALE_WARNING =
      TABLE
          .key("stale-warning", OR_NEVER)
          .means("kblake check warns if a group has no event for this time; never: it does not");
  public static final SettingKey<Duration> STALE_CRITICAL =
      TABLE
          .key("stale-critical", OR_NEVER)
          .means(
              "kblake check is critical if a group has no event for this time; never: it is not");
  public static final SettingKey<ListenAddress> LISTEN =
      TABLE.key("listen", ADDRESS).means("HOST:PORT of /metrics, /health and /ready");
  public static final SettingKey<Path> TOKEN_FILE =
      TABLE.key("token-file", FILE).means("a file with the tokens that clients of /metrics send");
  public static final SettingKey<Boolean> INSECURE =
      TABLE.key("insecure", SWITCH, "no").means("yes: other hosts get /metrics without a token");
  public static final SettingKey<List<ListenAddress>> GATHER =
      TABLE
          .key("gather", SettingType.list(ADDRESS))
          .means("HOST:PORT of collectors (kblake gather) that give logs to the archive");
  public static final SettingKey<String> GATHER_NAME =
      TABLE
          .key("gather-name", SettingType.of("NAME", RunSetting::builder))
          .means("the name of this builder; by default that of the host");
  public static final SettingKey<List<GroupPattern>> GATHER_GROUPS =
      TABLE
          .key("gather-groups", SettingType.list(SettingType.of("GROUP", GroupPattern::new)), "*")
          .means("groups that collectors may give: SYSTEM/GROUP, SYSTEM/* or *, with commas");
  public static final SettingKey<Long> GATHER_QUOTA =
      TABLE
          .key("gather-quota", SOME_BYTES)
          .means("the most bytes of the pairs in the archive; by default no limit");
  public static final SettingKey<Long> GATHER_WINDOW =
      TABLE
          .key("gather-window", SOME_BYTES, "16M")
          .means("bytes that a collector may send before they are written");
  public static final SettingKey<Duration> GATHER_HISTORY =
      TABLE
          .key("gather-history", SettingType.durations("1m", "36500d"))
          .means("of a group that the archive has no pair of, logs since so long; by default all");
  public static final SettingKey<Path> GATHER_TOKEN_FILE =
      TABLE.key("gather-token-file", FILE).means("a file with the token for collectors");
  public static final SettingKey<Boolean> GATHER_TLS =
      TABLE
          .key("gather-tls", SWITCH, "no")
          .means("yes: TLS to collectors on loopback, too, such as the end of a tunnel");
  public static final SettingKey<Boolean> GATHER_INSECURE =
      TABLE.key("gather-insecure", SWITCH, "no").means("yes: no TLS to collectors on other hosts");
  public static final SettingKey<String> ZOOKEEPER =
      TABLE
          .key("zookeeper", SettingType.of("HOST:PORT,...", text -> text))
          .means("ZooKeeper servers for --standby across hosts, HOST:PORT,.../PATH");
  public static final SettingKey<Duration> STATUS_INTERVAL =
      TABLE
          .key("status-interval", DURATION, "5s")
          .means("interval between writes of the status file");
  public static final SettingKey<LogFormat> LOG_FORMAT =
      TABLE
          .key("log-format", SettingType.constant(LogFormat.class), "text")
          .means("text (lines of key=value), or json");

  private RunSetting() {}

  private static String builder(String name) {
    if (!BuilderMap.isName(name)) {
      throw new IllegalArgumentException("'" + name + "' is not a name of letters and digits");
    }
    return name;
  }
}
