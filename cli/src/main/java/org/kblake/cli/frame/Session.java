package org.kblake.cli.frame;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.BufferedOutput;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.cli.process.TerminalOutput;
import org.kblake.cli.process.ThisProcess;
import org.kblake.cli.process.Window;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.cli.settings.Settings;
import picocli.CommandLine.Help.Ansi;

/**
 * One run of the program, and the resources of its commands. Data is written to {@link #out()},
 * everything else to standard error.
 */
public final class Session {

  private static final long PROGRESS_AFTER_MILLIS = 1_000;

  private final long startNanos = System.nanoTime();
  private final ProcessEnvironment environment;
  private final CommonOptions options;
  private final OutputStream unfiltered;
  private @Nullable OutputStream out;
  private @Nullable PrintStream err;
  private @Nullable Settings settings;
  private String command = "kblake";

  public Session(ProcessEnvironment environment, CommonOptions options) {
    this.environment = environment;
    this.options = options;
    this.unfiltered = new BufferedOutput(environment.out());
  }

  /**
   * Returns all settings. They are resolved once.
   *
   * @throws UsageException if the settings file is wrong
   */
  public Settings settings() {
    if (settings == null) {
      settings = Settings.resolve(options.settings(), options.config(), environment);
    }
    return settings;
  }

  /**
   * Reads all settings again.
   *
   * @param config a settings file instead of the one in use, or null
   * @param problems gets a line on each wrong key of the file, which is then ignored
   * @throws UsageException if the settings file cannot be read at all
   */
  public Settings readSettings(@Nullable Path config, Consumer<String> problems) {
    return Settings.resolve(
        options.settings(), config == null ? options.config() : config, environment, problems);
  }

  /** Returns the settings of options, environment and defaults, without any file. */
  public Settings settingsWithoutFile() {
    return Settings.withoutFile(options.settings(), environment);
  }

  /** Returns the value of {@code --config}, or null. */
  public @Nullable Path config() {
    return options.config();
  }

  /**
   * Returns standard output for data, buffered. A command may flush it, and the frame flushes it at
   * the end. Closing it only flushes it. A terminal gets {@link TerminalOutput}.
   */
  public synchronized OutputStream out() {
    if (out == null) {
      boolean terminal = environment.outIsTerminal();
      out = terminal || outIsColored() ? new TerminalOutput(unfiltered, terminal) : unfiltered;
    }
    return out;
  }

  /** Returns the stream below {@link #out()} for help, whose texts are those of the program. */
  OutputStream unfiltered() {
    return unfiltered;
  }

  /** Returns standard error for lines. A terminal gets {@link TerminalOutput}. */
  public synchronized PrintStream err() {
    if (err == null) {
      boolean terminal = environment.errIsTerminal();
      err =
          terminal || isColored(terminal)
              ? TerminalOutput.lines(environment.err(), terminal)
              : environment.err();
    }
    return err;
  }

  /** Returns a writer of UTF-8 text to {@link #out()}. The caller flushes it. */
  public Writer text() {
    return new BufferedWriter(new OutputStreamWriter(out(), StandardCharsets.UTF_8));
  }

  /** Returns standard input. */
  public InputStream in() {
    return environment.in();
  }

  /** Resolves a path of the command line in the working directory. */
  public Path path(Path path) {
    return environment.workingDirectory().resolve(path);
  }

  /** Returns the present time. */
  public Instant now() {
    return environment.clock().instant();
  }

  /** Writes a line for the user to standard error, unless {@code --quiet} is set. */
  public void note(String line) {
    if (!options.quiet()) {
      report(line);
    }
  }

  /** Writes a line to standard error, even if {@code --quiet} is set. */
  public void report(String line) {
    flushQuietly();
    // A line feed in a name must not look like the end of the line
    err().println(environment.errIsTerminal() ? line.replace("\n", "\\u000a") : line);
  }

  /**
   * Writes a line to standard error that says what the output lacks. The command then ends with
   * status 3.
   */
  public void incomplete(String line) {
    report(incompleteLine(line));
  }

  /** Returns the line of {@link #incomplete}, for a progress that prints it. */
  public String incompleteLine(String line) {
    return command + ": incomplete: " + line;
  }

  /** Writes the name of the settings file in use for a command that runs for long. */
  public void noteSettingsFile() {
    Path file = settings().file();
    note(file == null ? "settings: no file" : "settings: " + file);
  }

  /**
   * Begins a command.
   *
   * @param name the name of the command with that of the program
   */
  void begin(String name) {
    command = name;
  }

  /**
   * Returns the progress of a task in the form that the user selected. The caller closes it before
   * it writes anything else.
   *
   * @param totalBytes the amount of work; 0 for a progress that only prints lines
   */
  public Progress progress(String task, long totalBytes) {
    return progress(task, totalBytes, ProgressUnit.BYTES);
  }

  /**
   * Returns the progress of a task. On a terminal it is shown if the command takes more than a
   * second.
   *
   * @param total the amount of work in a unit; 0 for a progress that only prints lines
   */
  public Progress progress(String task, long total, ProgressUnit unit) {
    if (options.quiet() || total == 0) {
      return Progress.silent(this::report);
    }
    long sinceStartMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    return environment.errIsTerminal()
        ? Progress.bar(
            task, total, unit, environment.err(), PROGRESS_AFTER_MILLIS - sinceStartMillis)
        : Progress.lines(task, total, unit, environment.err(), System::nanoTime);
  }

  /**
   * Returns the number of characters of a line of standard output: COLUMNS if it is set, else that
   * of the window if standard output is a terminal, else 80.
   */
  public int outColumns() {
    String columns = environment.variables().getOrDefault("COLUMNS", "");
    if (columns.matches("[1-9]\\d{0,4}")) {
      return Integer.parseInt(columns);
    }
    if (!environment.outIsTerminal()) {
      return Window.USUAL.columns();
    }
    try {
      return Window.now().columns();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Window.USUAL.columns();
    }
  }

  /** Returns whether standard output is a terminal. */
  public boolean outIsTerminal() {
    return environment.outIsTerminal();
  }

  /**
   * Returns whether standard output shows more than ASCII. It does if it is a terminal and the
   * locale is UTF-8. The destination of redirected output is unknown. The launcher may have changed
   * the locale for Java, and keeps the user's locale in KBLAKE_LOCALE.
   */
  public boolean outShowsUnicode() {
    return environment.outIsTerminal() && localeHasUnicode();
  }

  /** Returns whether texts of the user's locale are UTF-8. */
  public boolean localeHasUnicode() {
    return Stream.of("KBLAKE_LOCALE", "LC_ALL", "LC_CTYPE", "LANG")
        .map(name -> environment.variables().getOrDefault(name, ""))
        .filter(locale -> !locale.isEmpty())
        .findFirst()
        .map(locale -> locale.toUpperCase(Locale.ROOT).replace("-", "").contains("UTF8"))
        .orElse(false);
  }

  /** Returns whether {@code --quiet} is set. */
  public boolean quiet() {
    return options.quiet();
  }

  /** Returns whether more messages than usual are wanted. */
  public boolean isVerbose() {
    return options.verbose() || options.debug();
  }

  /** Returns whether progress may be shown to a person. */
  public boolean showsProgress() {
    return !options.quiet() && environment.errIsTerminal();
  }

  /**
   * Lowers the priority of the process by KBLAKE_NICE, which the launcher sets: readers have
   * priority over long work.
   */
  public void lowerPriority() throws InterruptedIOException {
    String by = environment.variables().getOrDefault("KBLAKE_NICE", "");
    if (by.isEmpty()) {
      return;
    }
    try {
      ThisProcess.lowerPriority(by);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  /** Returns whether text on standard output is coloured. */
  public boolean outIsColored() {
    return isColored(environment.outIsTerminal());
  }

  private boolean isColored(boolean terminal) {
    return switch (options.color()) {
      case always -> true;
      case never -> false;
      case auto -> terminal && environment.variables().getOrDefault("NO_COLOR", "").isEmpty();
    };
  }

  Ansi ansi() {
    return outIsColored() ? Ansi.ON : Ansi.OFF;
  }

  /**
   * Writes the line of an error to standard error.
   *
   * @param command the name of the command
   */
  void reportError(String command, String message) {
    String name = command + ":";
    report(
        (isColored(environment.errIsTerminal()) ? TextColor.RED.of(name) : name) + " " + message);
  }

  boolean debug() {
    return options.debug();
  }

  /** Returns the lowest level of logged messages. */
  String logLevel() {
    if (options.debug()) {
      return "DEBUG";
    }
    return options.verbose() ? "INFO" : "WARN";
  }

  /** Returns the environment of this run. */
  public ProcessEnvironment environment() {
    return environment;
  }

  /** Flushes data, so that it precedes messages about it if both go to the same terminal. */
  private void flushQuietly() {
    try {
      out().flush();
    } catch (IOException e) {
      // The next write of data fails with the same error and reports it
    }
  }
}
