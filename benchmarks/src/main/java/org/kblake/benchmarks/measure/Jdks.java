package org.kblake.benchmarks.measure;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The JDKs that whole commands are measured with. */
public final class Jdks {

  private Jdks() {}

  /** Returns the JDKs by version: that of this JVM, and those of JAVA_HOME_17 and JAVA_HOME_25. */
  public static Map<String, Path> of(Size size) {
    Map<String, Path> homes = new TreeMap<>();
    homes.put(
        Integer.toString(Runtime.version().feature()), Path.of(System.getProperty("java.home")));
    for (String version : List.of("17", "25")) {
      String home = System.getenv("JAVA_HOME_" + version);
      if (home != null && size != Size.TINY) {
        homes.put(version, Path.of(home));
      }
    }
    return homes;
  }
}
