package org.kblake.test;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The command line of a JVM of its own for a class on the tests' class path, compiled and collected
 * as suits a short life.
 */
final class ChildJvm {

  private ChildJvm() {}

  /**
   * The words of the command, those of the program left to be added.
   *
   * @param options more options for the JVM
   */
  static List<String> command(Class<?> main, Collection<String> options) {
    return command(main, options, System.getProperty("java.class.path"));
  }

  /** The same with another class path. */
  static List<String> command(Class<?> main, Collection<String> options, List<Path> classPath) {
    return command(
        main,
        options,
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
  }

  private static List<String> command(Class<?> main, Collection<String> options, String classPath) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.addAll(options);
    command.add("-cp");
    command.add(classPath);
    command.add(main.getName());
    return command;
  }
}
