package org.kblake.cli.frame;

import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.settings.SettingsTable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * Declares options. Each method adds an option and returns the handle of its value. The help shows
 * the options in this order.
 *
 * <p>Options are declared in code and not by annotations. The JVM makes classes for annotations at
 * each start, and no class archive keeps them.
 */
public sealed class Options permits CommandModel {

  /** The place of the first common option in the help, behind all options of a command. */
  private static final int COMMON = 100;

  private final List<ArgSpec> declared = new ArrayList<>();
  private final boolean common;

  Options(boolean common) {
    this.common = common;
  }

  /**
   * Returns an empty list of options that all commands have. They may precede or follow the
   * command's name.
   */
  static Options ofAllCommands() {
    return new Options(true);
  }

  /** Adds an option without a value. */
  public final Flag flag(String description, String... names) {
    return new Flag(add(OptionSpec.builder(names).type(boolean.class).description(description)));
  }

  /**
   * Adds an option that may be omitted.
   *
   * @param label the name of the value in the help
   * @param description a text in which ${COMPLETION-CANDIDATES} stands for the constants of an enum
   */
  public final <T> OptionalValue<T> value(
      Class<T> type, String label, String description, String... names) {
    return new OptionalValue<>(add(option(type, label, description, names)));
  }

  /**
   * Adds an option that may be omitted, and whose value may be omitted.
   *
   * @param fallback the value of the option without a value, as a user would write it
   */
  public final <T> OptionalValue<T> valueOrElse(
      Class<T> type, String fallback, String label, String description, String... names) {
    return new OptionalValue<>(
        add(option(type, label, description, names).arity("0..1").fallbackValue(fallback)));
  }

  /**
   * Adds an option with a default.
   *
   * @param preset the default as a user would write it; ${DEFAULT-VALUE} in the description stands
   *     for it
   */
  public final <T> Value<T> preset(
      Class<T> type, String preset, String label, String description, String... names) {
    return new Value<>(add(option(type, label, description, names).defaultValue(preset)));
  }

  /** Adds an option with a default that has one of some values. The command checks the value. */
  public final Value<String> choice(
      List<String> values, String preset, String label, String description, String... names) {
    return new Value<>(
        add(
            option(String.class, label, description, names)
                .defaultValue(preset)
                .completionCandidates(values)));
  }

  /** Adds an option that must be given. */
  public final <T> Value<T> required(
      Class<T> type, String label, String description, String... names) {
    return new Value<>(add(option(type, label, description, names).required(true)));
  }

  /** Adds an option that may be given more than once. */
  public final <T> Values<T> values(
      Class<T> type, String label, String description, String... names) {
    return new Values<>(add(listed(type, label, description, names)));
  }

  /** Adds an option with two values. */
  public final <T> Values<T> pair(
      Class<T> type, String label, String description, String... names) {
    return new Values<>(add(listed(type, label, description, names).arity("2")));
  }

  /** Adds an option that must be given, and may be given more than once. */
  public final <T> Values<T> requiredValues(
      Class<T> type, String label, String description, String... names) {
    return new Values<>(add(listed(type, label, description, names).required(true)));
  }

  /** Adds the options that a table of the settings file declares. */
  public final TableOptions table(SettingsTable table) {
    return new TableOptions(this, table);
  }

  /** Returns those of these options that the command line has. */
  public final List<String> given(String... names) {
    List<String> given = new ArrayList<>();
    for (String name : names) {
      for (ArgSpec each : declared) {
        if (each instanceof OptionSpec option
            && option.longestName().equals(name)
            && !option.stringValues().isEmpty()) {
          given.add(name);
        }
      }
    }
    return given;
  }

  /** Adds the options to a command of picocli. */
  final void addTo(CommandSpec command) {
    for (ArgSpec each : declared) {
      command.add(each);
    }
  }

  final <A extends ArgSpec> A add(A argument) {
    declared.add(argument);
    return argument;
  }

  private OptionSpec add(OptionSpec.Builder option) {
    if (common) {
      option.scopeType(ScopeType.INHERIT).order(COMMON + declared.size());
    }
    return add(option.build());
  }

  private static OptionSpec.Builder option(
      Class<?> type, String label, String description, String... names) {
    return OptionSpec.builder(names)
        .type(type)
        .paramLabel(label)
        .description(description)
        .converters(ValueParser.of(type));
  }

  private static OptionSpec.Builder listed(
      Class<?> type, String label, String description, String... names) {
    return option(type, label, description, names).type(List.class).auxiliaryTypes(type);
  }
}
