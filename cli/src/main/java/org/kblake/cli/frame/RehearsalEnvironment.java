package org.kblake.cli.frame;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.cli.process.ProcessEnvironment;

/** What a program finds around itself while its launcher has it rehearse on a small archive. */
public final class RehearsalEnvironment {

  private RehearsalEnvironment() {}

  /**
   * Those of a process, but without settings of archive and store, and without a terminal.
   *
   * @return for answers of raw logs alone, then for those of columns where there are any
   */
  public static List<ProcessEnvironment> of(
      ProcessEnvironment process, String archive, String store) {
    Map<String, String> raw = new HashMap<>(process.variables());
    raw.put("KBLAKE_ARCHIVE", archive);
    raw.put("KBLAKE_CONFIG", "");
    raw.remove("KBLAKE_ZONE");
    raw.remove("KBLAKE_STORE");
    Map<String, String> columns = new HashMap<>(raw);
    columns.put("KBLAKE_STORE", store);
    return List.of(with(process, raw, Path.of(archive)), with(process, columns, Path.of(archive)));
  }

  private static ProcessEnvironment with(
      ProcessEnvironment process, Map<String, String> variables, Path directory) {
    return new ProcessEnvironment(
        process.in(),
        process.out(),
        process.err(),
        variables,
        directory,
        process.clock(),
        false,
        false);
  }
}
