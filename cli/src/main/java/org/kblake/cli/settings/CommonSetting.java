package org.kblake.cli.settings;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import org.kblake.cli.error.UsageException;
import org.kblake.core.archive.TailRule;
import org.kblake.format.argument.DurationArgument;

/** The keys of kblake.toml that all commands use. They are in no table. */
public final class CommonSetting {

  public static final SettingsTable TABLE = SettingsTable.ofAllCommands();

  private static final SettingType<Path> DIRECTORY = SettingType.of("DIR", Path::of);
  private static final SettingType<ZoneId> NAME_OF_ZONE =
      SettingType.of("ZONE", CommonSetting::zone);
  private static final SettingType<Duration> TIME =
      SettingType.of("DURATION", DurationArgument::parse);

  public static final SettingKey<Path> ARCHIVE =
      TABLE
          .key("archive", DIRECTORY)
          .variable("KBLAKE_ARCHIVE")
          .means("directory of the KEKBLog tree")
          .option("The KEKBLog tree. kblake never writes to it.");
  public static final SettingKey<Path> STORE =
      TABLE
          .key("store", DIRECTORY)
          .variable("KBLAKE_STORE")
          .means("directory of the columns")
          .option("The directory of the columns.");
  public static final SettingKey<Path> METADATA =
      TABLE
          .key("metadata", DIRECTORY)
          .variable("KBLAKE_METADATA")
          .means(
              "folder with SYSTEM/GROUP/channels.csv; default: channels/ beside the settings file")
          .option("The folder with the metadata of channels, SYSTEM/GROUP/channels.csv.");
  public static final SettingKey<ZoneId> ZONE =
      TABLE
          .key("zone", NAME_OF_ZONE, Zones.TOKYO)
          .variable("KBLAKE_ZONE")
          .means("time zone of the archive's file names")
          .option("The time zone of the archive's file names.");
  public static final SettingKey<ZoneId> OUT_ZONE =
      TABLE
          .key("out-zone", NAME_OF_ZONE)
          .variable("KBLAKE_OUT_ZONE")
          .means("time zone of printed times; default: the archive's")
          .option(
              "The time zone of printed times, and of times without offset; default: that of the archive.");
  public static final SettingKey<Duration> DISORDER_BOUND =
      TABLE
          .key("disorder-bound", TIME, "10m")
          .means("disorder bound: how much earlier than the events before it an event may be");
  public static final SettingKey<Duration> CLOSED_AFTER =
      TABLE
          .key("closed-after", TIME, "1h")
          .means("a newest pair without a change for this time is closed");
  public static final SettingKey<TailRule> TAIL =
      TABLE
          .key("tail", SettingType.of("RULE", CommonSetting::tail), "auto")
          .means("tail of a growing log: auto, final (its bytes do not change), provisional");
  public static final SettingKey<Duration> SETTLE =
      TABLE.key("settle", TIME, "2s").means("time that a provisional tail must stay unchanged");
  public static final SettingKey<Duration> LOOK_BACK =
      TABLE
          .key("look-back", TIME, "365d")
          .means("how far back the search for held values goes, except of kblogrd and get --at");

  private CommonSetting() {}

  /** Returns whether a key is the path of a directory. */
  static boolean isDirectory(SettingKey<?> key) {
    return key.type().equals(DIRECTORY);
  }

  private static ZoneId zone(String name) {
    try {
      return Zones.of(name);
    } catch (DateTimeException e) {
      throw new UsageException("no such time zone: " + name + " (write Asia/Tokyo)", e);
    }
  }

  private static TailRule tail(String name) {
    for (TailRule rule : TailRule.values()) {
      if (rule.name().equalsIgnoreCase(name)) {
        return rule;
      }
    }
    throw new UsageException("tail is auto, final or provisional, found " + name);
  }
}
