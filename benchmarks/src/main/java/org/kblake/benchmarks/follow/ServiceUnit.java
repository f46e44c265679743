package org.kblake.benchmarks.follow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The environment of {@code kblake run} in packaging/kblake.service. */
final class ServiceUnit {

  private static final String LINE = "Environment=";

  private ServiceUnit() {}

  /**
   * Reads the options of the JVM and the settings of malloc.
   *
   * @param program bin/kblake of a clone or of an installation
   */
  static Map<String, String> environment(Path program) throws IOException {
    Map<String, String> variables = new HashMap<>();
    for (String line : Files.readAllLines(program.resolveSibling("../packaging/kblake.service"))) {
      if (line.startsWith(LINE + '"')) {
        put(variables, line.substring(LINE.length() + 1, line.length() - 1));
      } else if (line.startsWith(LINE + "MALLOC_")) {
        for (String variable : line.substring(LINE.length()).split(" ")) {
          put(variables, variable);
        }
      }
    }
    return variables;
  }

  private static void put(Map<String, String> variables, String variable) {
    int equals = variable.indexOf('=');
    variables.put(variable.substring(0, equals), variable.substring(equals + 1));
  }
}
