package org.kblake.cli.command.service;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.cli.doctor.DirectorySettings;
import org.kblake.cli.doctor.ExtensionTable;
import org.kblake.cli.doctor.MetadataFiles;
import org.kblake.cli.doctor.VolumeAccess;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.gather.GatherSettings;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.serve.ServeSettings;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.ShownSetting;

/**
 * {@code kblake config check}: prints the problems of a settings file, and the effective settings.
 */
public final class ConfigCheckCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("check", "Check a settings file, and show the settings.")
          .description(
              "",
              "Prints every setting, its value and its origin: an option, an environment variable,"
                  + " a file, or default. Standard error has a line with file, line and key for"
                  + " each mistake, and the status is 2. A wrong setting is shown with its default."
                  + " It is a mistake, too, if the archive or a group of the settings does not"
                  + " exist.")
          .footer("  kblake config check", "  kblake config check | grep run.poll");

  private final OptionalValue<Path> file =
      model.optionalArgument(Path.class, "FILE", "Check this file instead of the one in use.");

  public ConfigCheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    List<String> problems = new ArrayList<>();
    Settings settings = session.readSettings(file.get(), problems::add);
    problems.addAll(settings.problems());
    RunSettings run = RunSettings.of(settings, Map.of(), problems::add);
    ServeSettings serve = ServeSettings.of(settings, Map.of(), problems::add);
    try (VolumeAccess volumes = new VolumeAccess()) {
      problems.addAll(
          new DirectorySettings(settings, run, session.environment().variables(), volumes.files())
              .problems());
    }
    if (problems.isEmpty()) {
      problems.addAll(MetadataFiles.of(settings).problems());
    }
    List<ShownSetting> lines = new ArrayList<>(settings.lines());
    lines.addAll(run.lines());
    lines.addAll(serve.lines());
    if (settings.placeOfTable(GatherSettings.NAME) != null) {
      lines.addAll(GatherSettings.of(settings, Map.of(), problems::add).lines());
    }
    lines.addAll(recorder(settings, problems));
    try (Writer out = session.text()) {
      for (ShownSetting line : lines) {
        out.append("%-20s %-24s %s%n".formatted(line.key(), line.value(), line.source()));
      }
    }
    problems.forEach(session::report);
    return problems.isEmpty() ? ExitStatus.DONE : ExitStatus.WRONG_USAGE;
  }

  private List<ShownSetting> recorder(Settings settings, List<String> problems) {
    ExtensionTable table = ExtensionTable.of(ExtensionTable.RECORD);
    if (table != null) {
      return settings.problems().isEmpty() ? table.lines(settings, problems::add) : List.of();
    }
    String place = settings.placeOfTable(ExtensionTable.RECORD);
    if (place != null) {
      session.report(
          place
              + ": [record] is not checked, because the recorder is not installed; "
              + ExtensionWord.installation(ExtensionTable.RECORD));
    }
    return List.of();
  }
}
