package org.kblake.cli.doctor;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.ShownSetting;

/**
 * A table of the settings file whose keys an extension declares. Its jar names the class in {@code
 * META-INF/services/org.kblake.cli.doctor.ExtensionTable}. The class has a public constructor
 * without parameters.
 */
public interface ExtensionTable {

  /** The table of the recorder. The launcher adds its jars for the commands that ask for it. */
  String RECORD = "record";

  /** Returns the table of a name; null if its extension is not installed. */
  static @Nullable ExtensionTable of(String name) {
    for (ExtensionTable each : ServiceLoader.load(ExtensionTable.class)) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /** Returns the name of the table. */
  String name();

  /**
   * Returns the settings of the table and their origins.
   *
   * @param settings the settings of all commands, none of which is wrong
   * @param problems gets a line on each mistake
   */
  List<ShownSetting> lines(Settings settings, Consumer<String> problems);

  /**
   * Examines what the table's command needs. Writes nothing.
   *
   * @param settings the settings of all commands, none of which is wrong, with an archive
   * @param variables the environment variables
   * @throws IOException if the archive cannot be read
   */
  List<Diagnosis> examine(Settings settings, Map<String, String> variables) throws IOException;
}
