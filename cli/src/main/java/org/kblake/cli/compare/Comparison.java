package org.kblake.cli.compare;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.kblogrd.Kblogrd;
import org.kblake.cli.process.ProcessEnvironment;

/**
 * Runs requests with the other program and with this one, and finds the first difference of the
 * answers.
 */
public final class Comparison {

  private final OtherProgram other;
  private final ProcessEnvironment environment;
  private final Path theirs;
  private final Path ours;

  /**
   * @param environment the environment of this kblogrd: settings as variables
   * @param directory the directory of both outputs
   */
  public Comparison(OtherProgram other, ProcessEnvironment environment, Path directory) {
    this.other = other;
    this.environment = environment;
    theirs = directory.resolve("theirs");
    ours = directory.resolve("ours");
  }

  /**
   * Compares the answers to a request.
   *
   * @param words the request, as a command line
   * @return null if there is no difference
   */
  public @Nullable FirstDifference compare(List<String> words) throws IOException {
    int theirStatus = other.run(words, theirs);
    int ourStatus = run(words);
    RuleFinder rules = new RuleFinder(words);
    try (BufferedReader their = reader(theirs);
        BufferedReader our = reader(ours)) {
      long line = 0;
      while (true) {
        line++;
        String theirLine = their.readLine();
        String ourLine = our.readLine();
        if (theirLine == null && ourLine == null) {
          break;
        }
        if (theirLine == null || !theirLine.equals(ourLine)) {
          boolean answered = theirStatus == ourStatus || theirLine != null && ourLine != null;
          Rule rule = answered ? rules.rule(line, theirLine, ourLine) : Rule.STATUS;
          return new FirstDifference(line, theirLine, ourLine, rule);
        }
      }
    }
    return theirStatus == ourStatus
        ? null
        : new FirstDifference(0, "status " + theirStatus, "status " + ourStatus, Rule.STATUS);
  }

  /** Opens an output. ISO 8859-1 keeps all bytes, so every difference is found. */
  private static BufferedReader reader(Path file) throws IOException {
    return new BufferedReader(
        new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1));
  }

  private int run(List<String> words) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(ours));
        PrintStream discarded =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      return Kblogrd.run(
          new ProcessEnvironment(
              environment.in(),
              out,
              discarded,
              environment.variables(),
              environment.workingDirectory(),
              environment.clock(),
              false,
              false),
          words.toArray(new String[0]));
    }
  }
}
