package org.kblake.cli.frame;

import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.settings.Settings;
import picocli.CommandLine.Help.Ansi;

/**
 * One run of the program: what commands are given to work with. Data goes to {@link #out()},
 * everything else to standard error.
 */
public final class Session {

  private static final int BUFFER_BYTES = 1 << 16;

  private final ProcessEnvironment environment;
  private final CommonOptions options;
  private final OutputStream out;
  private @Nullable Settings settings;

  public Session(ProcessEnvironment environment, CommonOptions options) {
    this.environment = environment;
    this.options = options;
    this.out = new BufferedOutputStream(environment.out(), BUFFER_BYTES);
  }

  /**
   * All settings, resolved once.
   *
   * @throws UsageException if the settings file is not as it should be
   */
  public Settings settings() {
    if (settings == null) {
      settings = Settings.resolve(options.settings(), options.config, environment);
    }
    return settings;
  }

  /**
   * All settings, read again.
   *
   * @param config a settings file instead of the one that counts, or null
   * @param problems gets a line on each key of the file that is not as it should be; it counts as
   *     not there
   * @throws UsageException if the settings file cannot be read at all
   */
  public Settings readSettings(@Nullable Path config, Consumer<String> problems) {
    return Settings.resolve(
        options.settings(), config == null ? options.config : config, environment, problems);
  }

  /**
   * Standard output for data, buffered. A command may flush it, the frame does at the end; closing
   * it only flushes.
   */
  public OutputStream out() {
    return out;
  }

  /** {@link #out()} for text, in UTF-8; flush it when done. */
  public Writer text() {
    return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
  }

  /** Standard input. */
  public InputStream in() {
    return environment.in();
  }

  /** A path of the command line as seen from the working directory. */
  public Path path(Path path) {
    return environment.workingDirectory().resolve(path);
  }

  /** The present. */
  public Instant now() {
    return environment.clock().instant();
  }

  /** Writes a line for the user to standard error, unless {@code --quiet} is set. */
  public void note(String line) {
    if (!options.quiet) {
      complain(line);
    }
  }

  /** Writes a line to standard error that even the quietest user must see. */
  public void complain(String line) {
    flushQuietly();
    environment.err().println(line);
  }

  /**
   * Progress of a task in the form that the user selected; close it before writing anything else.
   */
  public Progress progress(String task, long totalBytes) {
    if (options.quiet) {
      return Progress.silent(environment.err());
    }
    return environment.errIsTerminal()
        ? Progress.bar(task, totalBytes, environment.err())
        : Progress.lines(task, totalBytes, environment.err(), System::nanoTime);
  }

  /** Whether a person, not a program, reads standard output. */
  public boolean outIsTerminal() {
    return environment.outIsTerminal();
  }

  /**
   * Whether standard output shows more than ASCII: a terminal whose locale says UTF-8. What is
   * redirected may end up anywhere.
   */
  public boolean outShowsUnicode() {
    return environment.outIsTerminal()
        && Stream.of("LC_ALL", "LC_CTYPE", "LANG")
            .map(name -> environment.variables().getOrDefault(name, ""))
            .filter(locale -> !locale.isEmpty())
            .findFirst()
            .map(locale -> locale.toUpperCase(Locale.ROOT).replace("-", "").contains("UTF8"))
            .orElse(false);
  }

  /** Whether {@code --quiet} is set. */
  public boolean quiet() {
    return options.quiet;
  }

  /** Whether a person may be shown how far a command is. */
  public boolean wantsProgress() {
    return !options.quiet && environment.errIsTerminal();
  }

  Ansi ansi() {
    return switch (options.color) {
      case always -> Ansi.ON;
      case never -> Ansi.OFF;
      case auto ->
          environment.outIsTerminal() && !environment.variables().containsKey("NO_COLOR")
              ? Ansi.ON
              : Ansi.OFF;
    };
  }

  boolean debug() {
    return options.debug;
  }

  /** What the logging library is to let through. */
  String logLevel() {
    if (options.debug) {
      return "DEBUG";
    }
    return options.verbose ? "INFO" : "WARN";
  }

  /** What this run found around itself. */
  public ProcessEnvironment environment() {
    return environment;
  }

  /** Data stands before what is said of it where both go to the same terminal. */
  private void flushQuietly() {
    try {
      out.flush();
    } catch (IOException e) {
      // The next write of data meets the same error, and reports it.
    }
  }
}
