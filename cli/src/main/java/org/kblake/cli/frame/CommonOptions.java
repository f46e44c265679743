package org.kblake.cli.frame;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.settings.SettingName;
import picocli.CommandLine;

/** The options of every command. They may precede or follow the command's name. */
public final class CommonOptions {

  private final Options options = Options.ofAllCommands();

  private final Flag quiet =
      options.flag("Print no progress and no notes, only data and errors.", "-q", "--quiet");

  private final Flag verbose = options.flag("Print more about the work.", "-v", "--verbose");

  private final Flag debug =
      options.flag("Print all messages, and the stack trace of an error.", "--debug");

  private final OptionalValue<ColorMode> color =
      options.value(
          ColorMode.class,
          "WHEN",
          "Use colours: ${COMPLETION-CANDIDATES}; default: auto, which uses them on a terminal.",
          "--color");

  private final OptionalValue<Path> config =
      options.value(Path.class, "FILE", "Read settings from this file.", "--config");

  private final OptionalValue<String> archive =
      options.value(
          String.class, "DIR", "The KEKBLog tree. kblake never writes to it.", "--archive");

  private final OptionalValue<String> store =
      options.value(String.class, "DIR", "The directory of the columns.", "--store");

  private final OptionalValue<String> metadata =
      options.value(
          String.class,
          "DIR",
          "The folder with the metadata of channels, SYSTEM/GROUP/channels.csv.",
          "--metadata");

  private final OptionalValue<String> zone =
      options.value(String.class, "ZONE", "The time zone of the archive's file names.", "--zone");

  private final OptionalValue<String> outZone =
      options.value(
          String.class,
          "ZONE",
          "The time zone of printed times, and of times without offset; default: that of the"
              + " archive.",
          "--out-zone");

  /** Adds the options to the program, and so to all its commands. */
  public void addTo(CommandLine program) {
    options.addTo(program.getCommandSpec());
  }

  boolean quiet() {
    return quiet.isSet();
  }

  boolean verbose() {
    return verbose.isSet();
  }

  boolean debug() {
    return debug.isSet();
  }

  /** Returns when to use colours. It may be called before the command line is parsed. */
  ColorMode color() {
    ColorMode given = color.get();
    return given == null ? ColorMode.auto : given;
  }

  @Nullable Path config() {
    return config.get();
  }

  Map<SettingName, String> settings() {
    Map<SettingName, String> given = new EnumMap<>(SettingName.class);
    putIfGiven(given, SettingName.ARCHIVE, archive.get());
    putIfGiven(given, SettingName.STORE, store.get());
    putIfGiven(given, SettingName.METADATA, metadata.get());
    putIfGiven(given, SettingName.ZONE, zone.get());
    putIfGiven(given, SettingName.OUT_ZONE, outZone.get());
    return given;
  }

  private static void putIfGiven(
      Map<SettingName, String> given, SettingName name, @Nullable String value) {
    if (value != null) {
      given.put(name, value);
    }
  }
}
