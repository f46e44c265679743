package org.kblake.cli.document;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.kblake.cli.check.CheckKind;
import org.kblake.cli.extension.ExtensionCommand;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.filter.ColumnChoice;
import org.kblake.cli.filter.RowFilter;
import org.kblake.core.model.Group;
import org.kblake.query.question.Aggregate;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The completion script, made from a script without commands and picocli's model of the commands.
 * The script without commands describes the kinds of words.
 */
final class CompletionScript {

  private static final String PLACE = "# (the build inserts the commands here)\n";

  /** The values of options and arguments that are texts to picocli, by their labels. */
  private static final Map<String, String> TEXTS =
      Map.of(
          "CHANNEL",
          "channels",
          "PATTERN",
          "channels",
          "SEVERITY",
          "words " + String.join(" ", RowFilter.severities()),
          "NAMES",
          "list " + String.join(" ", ColumnChoice.all()),
          "LIST",
          "list " + words(Aggregate.values()),
          "KIND",
          "words " + words(CheckKind.values()),
          "DIR",
          "files",
          "GROUP",
          "groups");

  private final StringBuilder cases = new StringBuilder();

  private CompletionScript() {}

  /**
   * Returns the script.
   *
   * @param frame the script without commands
   */
  static String of(String frame, CommandLine kblake) {
    CompletionScript script = new CompletionScript();
    script.add("", kblake);
    if (!frame.contains(PLACE)) {
      throw new IllegalArgumentException("no place for the commands: " + PLACE);
    }
    return frame.replace(PLACE, script.cases.toString());
  }

  /**
   * Returns what the script reads if an extension is installed: a function with the commands of the
   * extension, whose jars are on the class path.
   *
   * @param name the extension
   */
  static String ofExtension(String name, CommandLine kblake) {
    CompletionScript script = new CompletionScript();
    for (ExtensionWord word : ExtensionWord.values()) {
      CommandLine command = Objects.requireNonNull(kblake.getSubcommands().get(word.toString()));
      boolean isHere =
          !(command.getCommand() instanceof ExtensionCommand)
              || !command.getSubcommands().isEmpty();
      if (isHere) {
        script.add(word.toString(), command);
      }
    }
    return "# shellcheck shell=bash\n_kblake_kind_%s() {\n  case $1 in\n%s  esac\n}\n"
        .formatted(name, script.cases);
  }

  /**
   * @param name the words of the command behind {@code kblake}
   */
  private void add(String name, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    StringJoiner options = new StringJoiner(" ", "words ", "");
    for (OptionSpec option : spec.options()) {
      boolean common = option.inherited() || option.usageHelp() || option.versionHelp();
      if (common && !name.isEmpty()) {
        continue;
      }
      for (String each : option.names()) {
        add(name + " " + each, kind(option));
      }
      options.add(option.longestName());
    }
    add(name + " options", options.toString());
    add(name + " arguments", arguments(spec));
    for (Map.Entry<String, CommandLine> below : command.getSubcommands().entrySet()) {
      add(name.isEmpty() ? below.getKey() : name + " " + below.getKey(), below.getValue());
    }
  }

  private void add(String words, String kind) {
    cases.append("    '%s') kind='%s' ;;\n".formatted(words, kind));
  }

  private static String arguments(CommandSpec spec) {
    if (!spec.subcommands().isEmpty()) {
      List<String> words = new ArrayList<>(spec.subcommands().keySet());
      if (spec.parent() == null) {
        words.addAll(List.of("help", "version"));
      }
      return "words " + String.join(" ", words);
    }
    if (!spec.positionalParameters().isEmpty()) {
      return kind(spec.positionalParameters().get(0));
    }
    // The second value of an option with two values is completed as an argument
    return spec.options().stream().anyMatch(option -> option.arity().max() > 1) ? "files" : "any";
  }

  private static String kind(ArgSpec argument) {
    if (argument.arity().max() == 0) {
      return "none";
    }
    boolean maybe = argument.isOption() && argument.arity().min() == 0;
    return (maybe ? "maybe " : "") + values(argument);
  }

  private static String values(ArgSpec argument) {
    Class<?> type = argument.auxiliaryTypes()[0];
    if (argument.completionCandidates() != null) {
      StringJoiner words = new StringJoiner(" ");
      argument.completionCandidates().forEach(words::add);
      return "words " + words.toString().toLowerCase(Locale.ROOT);
    }
    if (type == Path.class) {
      return "files";
    }
    return type == Group.class ? "groups" : TEXTS.getOrDefault(argument.paramLabel(), "any");
  }

  private static String words(Object[] constants) {
    return String.join(" ", Arrays.stream(constants).map(Object::toString).toList());
  }
}
