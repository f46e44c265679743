package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The modules and packages of the programs, from the bottom to the top, as the file {@code
 * layers.txt} lists them.
 *
 * @param packages the packages in order
 * @param modules the modules in order, each with the modules that it may use; an asterisk permits
 *     their internal packages
 */
record Layers(List<String> packages, Map<String, List<String>> modules) {

  private static final Path FILE = Path.of("src", "test", "resources", "structure", "layers.txt");

  /** Reads the file below the directory of the project. */
  static Layers read(Path root) throws IOException {
    List<String> packages = new ArrayList<>();
    Map<String, List<String>> modules = new LinkedHashMap<>();
    String module = "";
    for (String line : Files.readAllLines(root.resolve(FILE))) {
      List<String> words = List.of(line.strip().split(" +"));
      if (line.startsWith("  ")) {
        String name = "org.kblake." + words.get(0);
        assertThat(RoomsTest.moduleOf(name)).as(line).isEqualTo(module);
        packages.add(name);
      } else if (!line.startsWith("#") && !line.isBlank()) {
        module = words.get(0);
        modules.put(words.get(0), words.subList(Math.min(2, words.size()), words.size()));
      }
    }
    return new Layers(packages, modules);
  }

  /** Returns whether classes of a package may use classes of another one. */
  boolean mayUse(String user, String used) {
    String module = RoomsTest.moduleOf(user);
    String other = RoomsTest.moduleOf(used);
    List<String> permitted = modules.getOrDefault(module, List.of());
    boolean moduleMay =
        module.equals(other)
            || permitted.contains(other + "*")
            || permitted.contains(other) && !RoomsTest.isInternal(used);
    return moduleMay && packages.indexOf(used) < packages.indexOf(user);
  }
}
