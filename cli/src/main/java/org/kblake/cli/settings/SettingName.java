package org.kblake.cli.settings;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of all commands. */
public enum SettingName {
  ARCHIVE("archive", "KBLAKE_ARCHIVE", null, "directory of the KEKBLog tree"),
  STORE("store", "KBLAKE_STORE", null, "directory of the columns"),
  METADATA(
      "metadata",
      "KBLAKE_METADATA",
      null,
      "folder with SYSTEM/GROUP/channels.csv; default: channels/ beside the settings file"),
  ZONE("zone", "KBLAKE_ZONE", "Asia/Tokyo", "time zone of the archive's file names"),
  OUT_ZONE(
      "out-zone", "KBLAKE_OUT_ZONE", null, "time zone of printed times; default: the archive's"),
  DISORDER_BOUND(
      "disorder-bound",
      null,
      "10m",
      "disorder bound: how much earlier than the events before it an event may be"),
  CLOSED_AFTER(
      "closed-after", null, "1h", "a newest pair without a change for this time is closed"),
  TAIL(
      "tail",
      null,
      "auto",
      "tail of a growing log: auto, final (its bytes do not change), provisional"),
  SETTLE("settle", null, "2s", "time that a provisional tail must stay unchanged"),
  LOOK_BACK(
      "look-back",
      null,
      "365d",
      "how far back the search for held values goes, except of kblogrd and get --at");

  private final String key;
  private final @Nullable String variable;
  private final @Nullable String preset;
  private final String meaning;

  SettingName(String key, @Nullable String variable, @Nullable String preset, String meaning) {
    this.key = key;
    this.variable = variable;
    this.preset = preset;
    this.meaning = meaning;
  }

  /** Returns the key in kblake.toml, which is also the name of the option if there is one. */
  public String key() {
    return key;
  }

  /** Returns the environment variable, or null if there is none. */
  public @Nullable String variable() {
    return variable;
  }

  /** Returns the default, or null if there is none. */
  public @Nullable String preset() {
    return preset;
  }

  /** Returns whether the value is the path of a directory. */
  public boolean isDirectory() {
    return this == ARCHIVE || this == STORE || this == METADATA;
  }

  /** Returns a few words for help and manual. */
  public String meaning() {
    return meaning;
  }

  static @Nullable SettingName ofKey(String key) {
    return Arrays.stream(values()).filter(name -> name.key.equals(key)).findFirst().orElse(null);
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(SettingName::key).toList();
  }
}
