package org.kblake.cli.command.look;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;

/** The program {@code duckdb}, which is installed apart from kblake. */
record DuckDbProgram(Path file) {

  private static final String NAME = "duckdb";

  /**
   * Finds the program: the one that is named, else the one beside {@code lib/} of the installation,
   * else the first on the PATH.
   *
   * @param named the program that the user named; null for none
   * @throws UsageException if the named one cannot be executed
   * @throws RequestException if there is none
   */
  static DuckDbProgram find(Session session, @Nullable Path named) {
    if (named != null) {
      Path file = session.path(named).toAbsolutePath();
      if (!isProgram(file)) {
        throw new UsageException("--duckdb: not an executable program: " + file);
      }
      return new DuckDbProgram(file);
    }
    List<Path> places = new ArrayList<>();
    Path installation = installation();
    if (installation != null) {
      places.add(installation);
    }
    String path = session.environment().variables().getOrDefault("PATH", "");
    for (String directory : path.split(File.pathSeparator)) {
      if (!directory.isEmpty()) {
        places.add(session.path(Path.of(directory)));
      }
    }
    for (Path place : places) {
      Path file = place.resolve(NAME).toAbsolutePath();
      if (isProgram(file)) {
        return new DuckDbProgram(file);
      }
    }
    throw new RequestException(
        "no duckdb on the PATH"
            + (installation == null ? "" : " or in " + installation)
            + "; install the command line program of DuckDB, or name it with --duckdb FILE");
  }

  /** Returns the directory that has {@code lib/} of the installation; null if there is none. */
  private static @Nullable Path installation() {
    try {
      Path jar =
          Path.of(DuckDbProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path lib = jar.getParent();
      return lib == null || !lib.endsWith("lib") ? null : lib.getParent();
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static boolean isProgram(Path file) {
    return Files.isExecutable(file) && !Files.isDirectory(file);
  }

  /**
   * Runs a statement after the statements of a file. The program has the standard streams and the
   * working directory of this one. If this thread is interrupted, the program is ended.
   *
   * @param views the file
   * @param options more arguments of the program
   * @return its exit status; 128 and the number of the signal that ended it
   */
  int run(Path views, List<String> options, String statement, Path workingDirectory)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(file.toString()));
    // Unlike -init, this prints nothing, and the user's own .duckdbrc stays in force.
    command.addAll(List.of("-cmd", ".read '" + views + "'"));
    command.addAll(options);
    command.addAll(List.of("-c", statement));
    Process process =
        new ProcessBuilder(command)
            .directory(workingDirectory.toAbsolutePath().toFile())
            .inheritIO()
            .start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      process.onExit().join();
      throw e;
    }
  }
}
