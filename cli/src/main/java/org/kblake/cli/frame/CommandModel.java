package org.kblake.cli.frame;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** A command's name, texts, options, and its argument or arguments. */
public final class CommandModel extends Options {

  static {
    // Without this picocli makes parsers of twenty types by reflection for each command.
    // ValueParser has the parsers that are needed.
    System.setProperty("picocli.converters.excludes", ".*");
  }

  private final String name;
  private final String header;
  private String[] description = {};
  private String[] footer = {};
  private @Nullable Map<String, String> statuses;
  private @Nullable Integer statusOfErrors;

  /** The number of arguments so far. */
  private int places;

  private CommandModel(String name, String header) {
    super(false);
    this.name = name;
    this.header = header;
  }

  /**
   * Begins a model.
   *
   * @param header one line on what the command does
   */
  public static CommandModel of(String name, String header) {
    return new CommandModel(name, header);
  }

  /** Returns the name of the command. */
  public String name() {
    return name;
  }

  /** Sets the description in the help. An empty line begins a paragraph. */
  public CommandModel description(String... lines) {
    description = lines;
    return this;
  }

  /** Sets the examples at the end of the help. */
  public CommandModel footer(String... lines) {
    footer = lines;
    return this;
  }

  /** Sets the meanings of exit statuses in the help, such as {@code 0:done}. */
  public CommandModel statuses(String... meanings) {
    statuses = UsageMessageSpec.keyValuesMap(meanings);
    return this;
  }

  /** Sets the exit status of wrong usage, and of a request that cannot be answered. */
  public CommandModel statusOfErrors(int status) {
    statusOfErrors = status;
    return this;
  }

  /** Adds an argument that must be given. */
  public <T> Value<T> argument(Class<T> type, String label, String description) {
    return new Value<>(add(positional(type, label, description).required(true).build()));
  }

  /** Adds an argument that may be omitted. */
  public <T> OptionalValue<T> optionalArgument(Class<T> type, String label, String description) {
    return new OptionalValue<>(add(positional(type, label, description).arity("0..1").build()));
  }

  /** Adds any number of arguments, behind all others. */
  public <T> Values<T> arguments(Class<T> type, String label, String description) {
    return new Values<>(
        add(
            positional(type, label, description)
                .type(List.class)
                .auxiliaryTypes(type)
                .arity("0..*")
                .index(places - 1 + "..*")
                .build()));
  }

  private PositionalParamSpec.Builder positional(Class<?> type, String label, String description) {
    return PositionalParamSpec.builder()
        .index(String.valueOf(places++))
        .type(type)
        .paramLabel(label)
        .description(description)
        .converters(ValueParser.of(type));
  }

  /**
   * Returns picocli's command, with the options for help and version.
   *
   * @param command the work; null if only subcommands work
   */
  public CommandLine line(@Nullable Command command) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command).name(name);
    spec.usageMessage().header(header).description(description).footer(footer);
    if (statuses != null) {
      spec.usageMessage().exitCodeList(statuses);
    }
    if (statusOfErrors != null) {
      spec.exitCodeOnInvalidInput(statusOfErrors).exitCodeOnExecutionException(statusOfErrors);
    }
    addTo(spec);
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this help message and exit.")
            .build());
    spec.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Print version information and exit.")
            .build());
    return new CommandLine(spec);
  }

  /**
   * Removes the options that all commands have from a command, which is not parsed any more. Its
   * help and its manual page then describe its own options.
   */
  public static void removeCommonOptions(CommandSpec command) {
    for (OptionSpec option : List.copyOf(command.options())) {
      if (option.inherited() || option.usageHelp() || option.versionHelp()) {
        command.remove(option);
      }
    }
  }
}
