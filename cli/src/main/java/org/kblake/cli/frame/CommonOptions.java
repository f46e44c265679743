package org.kblake.cli.frame;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.settings.SettingName;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options of every command. They may precede or follow the command's name. */
public final class CommonOptions {

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      order = 100,
      description = "Print no progress and no notes, only data and errors.")
  boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      order = 101,
      description = "Print more about the work.")
  boolean verbose;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      order = 102,
      description = "Print all messages, and the stack trace of an error.")
  boolean debug;

  @Option(
      names = "--color",
      scope = ScopeType.INHERIT,
      order = 103,
      paramLabel = "WHEN",
      defaultValue = "auto",
      description = "Use colours: ${COMPLETION-CANDIDATES}; auto uses them on a terminal.")
  ColorMode color = ColorMode.auto;

  @Option(
      names = "--config",
      scope = ScopeType.INHERIT,
      order = 104,
      paramLabel = "FILE",
      description = "Read settings from this file.")
  @Nullable Path config;

  @Option(
      names = "--archive",
      scope = ScopeType.INHERIT,
      order = 105,
      paramLabel = "DIR",
      description = "The KEKBLog tree. kblake never writes to it.")
  @Nullable String archive;

  @Option(
      names = "--store",
      scope = ScopeType.INHERIT,
      order = 106,
      paramLabel = "DIR",
      description = "The directory of the columns.")
  @Nullable String store;

  @Option(
      names = "--zone",
      scope = ScopeType.INHERIT,
      order = 107,
      paramLabel = "ZONE",
      description = "The time zone of the archive's file names, and of times without offset.")
  @Nullable String zone;

  Map<SettingName, String> settings() {
    Map<SettingName, String> given = new EnumMap<>(SettingName.class);
    putIfGiven(given, SettingName.ARCHIVE, archive);
    putIfGiven(given, SettingName.STORE, store);
    putIfGiven(given, SettingName.ZONE, zone);
    return given;
  }

  private static void putIfGiven(
      Map<SettingName, String> given, SettingName name, @Nullable String value) {
    if (value != null) {
      given.put(name, value);
    }
  }
}
