package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.command.shared.TemporaryDirectory;
import org.kblake.cli.compare.Comparison;
import org.kblake.cli.compare.FirstDifference;
import org.kblake.cli.compare.OtherProgram;
import org.kblake.cli.compare.RequestSampler;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.cli.settings.Settings;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;

/** {@code kblake compare}: compares another kblogrd with this one. */
public final class CompareCommand implements Command {

  private static final int LONGEST_LINE = 200;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("compare", "Compare another kblogrd with this one.")
          .description(
              "",
              "Runs requests with another kblogrd and with this one. If the answers differ, prints"
                  + " the first difference and the rule of the specification for it. Requests come"
                  + " from a file, or are generated from the groups, records and periods of the"
                  + " archive. The status is 1 if any answer differs.",
              "",
              "A line of the file is a command line without the program's name. Quote words with"
                  + " blanks. Lines that begin with # are skipped.")
          .footer("  kblake compare --with /bin/true --count 0");

  private final Value<Path> with =
      model.required(
          Path.class, "PROGRAM", "The other kblogrd, such as /usr/local/bin/kblogrd.", "--with");

  private final OptionalValue<Path> requests =
      model.value(Path.class, "FILE", "Read the requests from this file.", "--requests");

  private final Value<Integer> count =
      model.preset(
          int.class, "100", "N", "Number of requests to generate; default: 100.", "--count");

  private final Value<Long> seed =
      model.preset(long.class, "1", "N", "Seed of the generated requests; default: 1.", "--seed");

  private final Values<Group> groups =
      model.values(
          Group.class,
          "GROUP",
          "Generate requests of this group only; may be given more than once.",
          "-g",
          "--group");

  private final Value<Duration> timeout =
      model.preset(
          Duration.class,
          "10m",
          "TIME",
          "Kill the other program after this time; default: 10m.",
          "--timeout");

  private int done;
  private int differing;

  public CompareCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    Path program = session.path(with.get()).toAbsolutePath();
    if (!Files.isExecutable(program) || Files.isDirectory(program)) {
      throw new UsageException("--with: not an executable program: " + program);
    }
    List<List<String>> all = requests();
    return Stoppable.run(
        session,
        () -> done + " of " + all.size() + " requests were compared, " + differing + " differ",
        () -> compare(program, all));
  }

  private int compare(Path program, List<List<String>> all)
      throws IOException, InterruptedException {
    // The answers are written after the bar, because both would mix on a terminal.
    StringWriter differences = new StringWriter();
    try (Writer out = session.text()) {
      try (TemporaryDirectory directory = TemporaryDirectory.create("kblake-compare-");
          Progress progress = session.progress("compare", all.size(), ProgressUnit.REQUESTS)) {
        Comparison comparison =
            new Comparison(
                new OtherProgram(program, timeout.get()), environment(), directory.path());
        for (List<String> words : all) {
          FirstDifference difference = comparison.compare(words);
          if (Thread.interrupted()) {
            throw new InterruptedException("interrupted at a request");
          }
          done++;
          progress.advance(1, 0);
          if (difference != null) {
            differing++;
            write(words, difference, differences);
          }
        }
      } finally {
        out.write(differences.toString());
      }
      out.write(done + " requests, " + differing + " differ\n");
      out.flush();
    }
    return differing == 0 ? ExitStatus.DONE : ExitStatus.NOT_ANSWERED;
  }

  /**
   * Returns the environment for this kblogrd. It has no options for settings, so it gets the
   * settings of this command as variables.
   */
  private ProcessEnvironment environment() {
    Settings settings = session.settings();
    ProcessEnvironment own = session.environment();
    Map<String, String> variables = new HashMap<>(own.variables());
    variables.put("KBLAKE_ARCHIVE", settings.archive().toString());
    variables.put("KBLAKE_ZONE", settings.zoneName());
    if (settings.hasStore()) {
      variables.put("KBLAKE_STORE", settings.store().toString());
    }
    return new ProcessEnvironment(
        own.in(),
        own.out(),
        own.err(),
        variables,
        own.workingDirectory(),
        own.clock(),
        false,
        false);
  }

  private List<List<String>> requests() throws IOException {
    List<List<String>> all = new ArrayList<>();
    Path file = requests.get();
    if (file != null) {
      for (String line : Files.readAllLines(session.path(file))) {
        if (!line.isBlank() && !line.startsWith("#")) {
          all.add(words(line));
        }
      }
      return all;
    }
    try (ArchiveReader reader = ReaderOpening.open(session, Source.AUTO)) {
      List<Group> asked = groups.get().isEmpty() ? reader.groups() : groups.get();
      if (asked.isEmpty()) {
        return all;
      }
      RequestSampler sampler =
          new RequestSampler(session.settings().openArchive(), reader, seed.get());
      for (int i = 0; i < count.get(); i++) {
        all.add(sampler.next(asked));
      }
      return all;
    }
  }

  /** Splits a line into words at blanks. Blanks in quotes are kept. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean begun = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0 ? c == quote : c == '\'' || c == '"') {
        quote = quote == 0 ? c : 0;
        begun = true;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (begun) {
          words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
      } else {
        word.append(c);
        begun = true;
      }
    }
    if (begun) {
      words.add(word.toString());
    }
    return words;
  }

  private static void write(List<String> words, FirstDifference difference, Writer out)
      throws IOException {
    out.write("kblogrd " + String.join(" ", words) + "\n");
    if (difference.line() > 0) {
      out.write("  line   " + difference.line() + "\n");
    }
    out.write("  theirs " + shown(difference.theirs()) + "\n");
    out.write("  ours   " + shown(difference.ours()) + "\n");
    out.write("  rule   " + difference.rule().text() + "\n");
  }

  private static String shown(@Nullable String line) {
    if (line == null) {
      return "(end of output)";
    }
    return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "...";
  }
}
