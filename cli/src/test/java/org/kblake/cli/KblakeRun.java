package org.kblake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.kblogrd.Kblogrd;
import org.kblake.cli.process.ProcessEnvironment;

/**
 * A run of the program inside the JVM of the test, and its results.
 *
 * @param status the exit status
 * @param out standard output
 * @param err standard error
 */
public record KblakeRun(int status, String out, String err) {

  /**
   * Returns the builder of a run in a working directory, without environment variables and at a
   * fixed time.
   */
  public static Builder in(Path workingDirectory) {
    return new Builder(workingDirectory);
  }

  /** The environment of a run. */
  public static final class Builder {

    private final Path workingDirectory;
    private final Map<String, String> variables = new HashMap<>();
    private Clock clock = Clock.fixed(Instant.parse("2016-05-16T00:40:00Z"), ZoneOffset.UTC);
    private String input = "";
    private @Nullable Path unchanged;
    private boolean terminal;
    private @Nullable ByteArrayOutputStream reported;

    private Builder(Path workingDirectory) {
      this.workingDirectory = workingDirectory;
    }

    /** Sets an environment variable. */
    public Builder with(String variable, String value) {
      variables.put(variable, value);
      return this;
    }

    /** Sets the present time. */
    public Builder at(Instant now) {
      clock = Clock.fixed(now, ZoneOffset.UTC);
      return this;
    }

    /** Sets the content of standard input. */
    public Builder reading(String text) {
      input = text;
      return this;
    }

    /** Sets where standard error of the runs goes, so that a test can read it meanwhile. */
    public Builder reporting(ByteArrayOutputStream to) {
      reported = to;
      return this;
    }

    /** Makes standard output and standard error terminals. */
    public Builder onTerminal() {
      terminal = true;
      return this;
    }

    /** Asserts that the run does not change a tree of files, if it exists. */
    public Builder leavingAlone(Path tree) {
      unchanged = tree;
      return this;
    }

    /** Runs the command line. */
    public KblakeRun run(String... args) {
      Path tree = unchanged;
      if (tree == null || !Files.isDirectory(tree)) {
        return runFreely(args);
      }
      String before = FileTreeState.of(tree);
      KblakeRun run = runFreely(args);
      assertThat(FileTreeState.of(tree)).as("%s after kblake %s", tree, args[0]).isEqualTo(before);
      return run;
    }

    private KblakeRun runFreely(String... args) {
      return run(Kblake::run, args);
    }

    /** Runs the command line with kblogrd. */
    public KblakeRun kblogrd(String... args) {
      return run(Kblogrd::run, args);
    }

    private KblakeRun run(
        BiFunction<ProcessEnvironment, String[], Integer> program, String... args) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = reported == null ? new ByteArrayOutputStream() : reported;
      int status =
          program.apply(
              new ProcessEnvironment(
                  new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                  out,
                  new PrintStream(err, true, StandardCharsets.UTF_8),
                  variables,
                  workingDirectory,
                  clock,
                  terminal,
                  terminal),
              args);
      KblakeRun run =
          new KblakeRun(
              status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
      // An answer that lacks a part says so, whatever the command. 3 of kblake check means unknown.
      if (status == ExitStatus.INCOMPLETE && !List.of(args).contains("check")) {
        assertThat(run.err()).containsPattern("(?m)^(kblake [a-z ]+|kblogrd): incomplete: ");
      }
      return run;
    }
  }
}
