package org.kblake.cli.frame;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.SettingKey;
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

  private final TableOptions settings = options.table(CommonSetting.TABLE);

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

  /** Returns the texts of the given options that precede settings. */
  Map<SettingKey<?>, String> settings() {
    return settings.given();
  }
}
