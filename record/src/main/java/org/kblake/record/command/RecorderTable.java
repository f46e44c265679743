package org.kblake.record.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.kblake.cli.doctor.Diagnosis;
import org.kblake.cli.doctor.ExtensionTable;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.ShownSetting;

/** The table {@code [record]}, for {@code kblake config check} and {@code kblake doctor}. */
public final class RecorderTable implements ExtensionTable {

  @Override
  public String name() {
    return RECORD;
  }

  @Override
  public List<ShownSetting> lines(Settings settings, Consumer<String> problems) {
    return RecordSettings.of(settings, Map.of(), problems).lines();
  }

  @Override
  public List<Diagnosis> examine(Settings settings, Map<String, String> variables)
      throws IOException {
    List<Diagnosis> found = new ArrayList<>();
    RecordSettings record =
        RecordSettings.of(
            settings,
            Map.of(),
            problem ->
                found.add(
                    Diagnosis.problem(RECORD, problem, "kblake config check shows all settings")));
    if (found.isEmpty()) {
      new RecordExamination(record, settings.archive(), variables, found::add).run();
    }
    return found;
  }
}
