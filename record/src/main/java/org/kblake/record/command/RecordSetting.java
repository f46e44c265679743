package org.kblake.record.command;

import static org.kblake.cli.settings.SettingType.ADDRESS;
import static org.kblake.cli.settings.SettingType.FILE;
import static org.kblake.cli.settings.SettingType.SIZE;
import static org.kblake.cli.settings.SettingType.SWITCH;
import static org.kblake.cli.settings.SettingType.durations;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.kblake.cli.run.settings.LogFormat;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingType;
import org.kblake.cli.settings.SettingsTable;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.model.Group;
import org.kblake.record.group.TimeRule;
import org.kblake.record.host.HostSettings;
import org.kblake.record.log.SyncPolicy;
import org.kblake.record.perf.PerfSettings;

/** The keys of the table {@code record} in kblake.toml. */
public final class RecordSetting {

  public static final SettingsTable TABLE = new SettingsTable("record", ": ");

  private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);
  private static final long SMALLEST_LOG = 1 << 20;
  private static final long SMALLEST_RING = 1 << 16;
  private static final long LARGEST_RING = 1 << 30;
  private static final int MOST_CORES = 1 << 16;

  public static final SettingKey<List<Group>> GROUPS =
      TABLE
          .key("groups", SettingType.list(SettingType.of("SYSTEM/NAME", Group::parse)))
          .means("groups, with commas; else those of `lists` and `names`, else of KEKBLog.list");
  public static final SettingKey<SourceKind> SOURCE =
      TABLE
          .key("source", SettingType.constant(SourceKind.class), "epics")
          .means(
              "epics, host (this machine's counters: HOST/...), or cpu (its cores: HOST/CPU0 ...)")
          .option(
              "Source: epics, host (this machine's own counters), or cpu (samples of its cores);"
                  + " default: epics.");
  public static final SettingKey<Integer> HOST_RATE =
      TABLE
          .key(
              "host-rate",
              SettingType.COUNT.in(hertz -> hertz <= 100, "must be from 1 to 100, found %s"),
              "10")
          .means("samples of the machine's counters per second, 1 to 100");
  public static final SettingKey<String> HOST_NAME =
      TABLE
          .key("host-name", SettingType.of("NAME", RecordSetting::hostName))
          .means("first part of names of counters; by default the machine's name in capitals");
  public static final SettingKey<Integer> CPU_RATE =
      TABLE
          .key("cpu-rate", SettingType.of("HZ", RecordSetting::cpuRate), "1000")
          .means("with source = cpu: samples of each core per second, 1 to 10000");
  public static final SettingKey<List<String>> CPU_COUNTERS =
      TABLE
          .key("cpu-counters", SettingType.list(SettingType.of("EVENT", PerfSettings::counter)))
          .means("events of perf, such as cycles, instructions, cache-misses; else the address");
  public static final SettingKey<Integer> CPU_CORE =
      TABLE
          .key("cpu-core", SettingType.of("CORE", RecordSetting::core))
          .means("the core on which perf works; by default the kernel chooses");
  public static final SettingKey<TimeRule> TIME =
      TABLE
          .key("time", SettingType.constant(TimeRule.class), "reception")
          .means("time of events: reception (as kblog), or ioc (the IOC's time stamp)")
          .option("Time of events: reception, or ioc; default: reception.");
  public static final SettingKey<Duration> FLUSH =
      TABLE
          .key("flush", durations("1ms", "10s"), "100ms")
          .means("longest time that events wait in memory")
          .option("Longest time that events wait in memory; default: 100ms.");
  public static final SettingKey<SyncPolicy> SYNC =
      TABLE
          .key("sync", SettingType.constant(SyncPolicy.class), "none")
          .means("when logs are synced to the disk: none, interval, event")
          .option("When logs are synced to the disk: none, interval, event; default: none.");
  public static final SettingKey<Duration> SYNC_INTERVAL =
      TABLE
          .key("sync-interval", durations("100ms", "1h"), "1s")
          .means("time between syncs with sync = interval");
  public static final SettingKey<Duration> MILESTONE =
      TABLE
          .key("milestone", durations("1s", "1h"), "10m")
          .means("interval between milestones")
          .option("Interval between milestones; default: 10m.");
  public static final SettingKey<Duration> ROTATE =
      TABLE
          .key("rotate", rotation(), "never")
          .means("time after which a new pair begins")
          .option("Time after which a new pair begins; default: never.");
  public static final SettingKey<List<LocalTime>> ROTATE_AT =
      TABLE
          .key("rotate-at", SettingType.list(SettingType.of("HH:MM", RecordSetting::timeOfDay)))
          .means(
              "times of day at which new pairs begin, in the archive's zone, such as 00:00, 12:00");
  public static final SettingKey<Long> LARGEST_LOG =
      TABLE
          .key(
              "largest-log",
              SIZE.in(
                  bytes -> bytes >= SMALLEST_LOG && bytes <= ReferenceLayout.INSTANCE.maxLogBytes(),
                  "must be from 1M to 2147483647, found %s"))
          .means("a new pair begins before a log is larger; by default 2^31 - 1 bytes");
  public static final SettingKey<Duration> LEARN =
      TABLE
          .key("learn", durations("0s", "10m"), "5s")
          .means("longest time for which the first pair waits for the types of all channels");
  public static final SettingKey<Duration> NEW_PAIR =
      TABLE
          .key("new-pair", durations("0s", "1h"), "1m")
          .means("shortest time between pairs that begin because of other types or names");
  public static final SettingKey<Long> RING =
      TABLE
          .key(
              "ring",
              SIZE.in(
                  bytes ->
                      bytes >= SMALLEST_RING && bytes <= LARGEST_RING && Long.bitCount(bytes) == 1,
                  "must be a power of two from 64k to 1G, found %s"),
              "64M")
          .means("memory for events between network and recorder");
  public static final SettingKey<Long> WAITING =
      TABLE
          .key("waiting", SIZE, "256M")
          .means("memory for events that wait for a disk or a new pair");
  public static final SettingKey<Integer> SEARCH_BUDGET =
      TABLE
          .key("search-budget", SettingType.COUNT, "500")
          .means("search packets per second, of the whole process");
  public static final SettingKey<EventMask> MASK =
      TABLE
          .key("mask", SettingType.constant(EventMask.class), "value")
          .means("events that servers send: value (VALUE and ALARM), log (LOG and ALARM)");
  public static final SettingKey<String> NAME =
      TABLE
          .key("name", SettingType.of("NAME", RecordSetting::name))
          .means("of this recorder, if an archive has several: its ledger is Kblake/Record-NAME");
  public static final SettingKey<String> ZOOKEEPER =
      TABLE
          .key("zookeeper", SettingType.of("HOST:PORT,...", text -> text))
          .means("ZooKeeper servers for --standby across hosts, HOST:PORT,.../PATH");
  public static final SettingKey<Duration> STANDBY_KEEP =
      TABLE
          .key("standby-keep", durations("10s", "1h"), "60s")
          .means("time for which a standby keeps events, in the memory of `waiting`");
  public static final SettingKey<ListenAddress> LISTEN =
      TABLE.key("listen", ADDRESS).means("HOST:PORT of /metrics, /health and /ready");
  public static final SettingKey<Path> TOKEN_FILE =
      TABLE.key("token-file", FILE).means("a file with the tokens that clients of /metrics send");
  public static final SettingKey<Boolean> INSECURE =
      TABLE.key("insecure", SWITCH, "no").means("yes: other hosts get /metrics without a token");
  public static final SettingKey<LogFormat> LOG_FORMAT =
      TABLE
          .key("log-format", SettingType.constant(LogFormat.class), "text")
          .means("text (lines of key=value), or json");

  private RecordSetting() {}

  private static String name(String text) {
    if (!text.matches("[A-Za-z0-9-]+")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a name of letters, digits and hyphens");
    }
    return text;
  }

  private static LocalTime timeOfDay(String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("'" + text + "' is not HH:MM, such as 00:00", e);
    }
  }

  private static Integer cpuRate(String text) {
    return number(text, 1, PerfSettings.MOST_HERTZ);
  }

  private static Integer core(String text) {
    return number(text, 0, MOST_CORES - 1);
  }

  private static Integer number(String text, int least, int most) {
    int number = text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "must be a number from " + least + " to " + most + ", found " + text);
    }
    return number;
  }

  private static String hostName(String text) {
    return HostSettings.ofThisMachine(1).withPrefix(text).prefix();
  }

  private static SettingType<Duration> rotation() {
    SettingType<Duration> duration = durations("10s", "366d");
    return SettingType.of(
        "DURATION", text -> text.equals("never") ? NEVER : duration.parser().apply(text));
  }
}
