package org.kblake.cli.frame;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.kblake.cli.argument.ByteOffset;
import org.kblake.cli.argument.ByteSize;
import org.kblake.cli.argument.DurationArgument;
import org.kblake.cli.argument.TimeArgument;
import org.kblake.cli.error.ExitStatus;
import org.kblake.core.model.Group;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/** The common frame of all commands: parsers, help and error reports. It runs command lines. */
public final class CommandFrame {

  private static final int HELP_WIDTH = 80;

  private final Session session;
  private final ErrorReport report;
  private final CommandLine root;

  /**
   * Sets up a tree of commands.
   *
   * @param root the program with all its commands
   */
  public CommandFrame(CommandLine root, Session session) {
    this.session = session;
    this.report = new ErrorReport(session);
    this.root = root;
    ErrorHandler errors = new ErrorHandler(session);
    root.setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors)
        .setExecutionStrategy(this::execute)
        .setUsageHelpWidth(HELP_WIDTH)
        .setOut(new PrintWriter(session.out(), false, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(session.environment().err(), true, StandardCharsets.UTF_8))
        .registerConverter(TimeArgument.class, converter(TimeArgument::parse))
        .registerConverter(Duration.class, converter(DurationArgument::parse))
        .registerConverter(ByteSize.class, converter(ByteSize::parse))
        .registerConverter(ByteOffset.class, converter(ByteOffset::parse))
        .registerConverter(Group.class, converter(Group::parse));
    root.getSubcommands().values().forEach(this::registerConstants);
    registerConstants(root);
    root.getHelpSectionMap().put(SettingsHelp.KEY, new SettingsHelp(session));
    root.setHelpSectionMap(root.getHelpSectionMap());
    root.setHelpSectionKeys(helpSections(root.getHelpSectionKeys()));
  }

  /**
   * Runs a command line.
   *
   * @return the exit status
   */
  public int run(String... args) {
    int status;
    try {
      status = root.execute(args);
    } catch (Error e) {
      status = report.report(e, root.getCommandName());
    }
    try {
      root.getOut().flush();
      session.out().flush();
      return status;
    } catch (IOException e) {
      // After an error, the flush only fails with the same error again
      return status == ExitStatus.DONE ? report.report(e, root.getCommandName()) : status;
    }
  }

  private int execute(ParseResult parseResult) {
    System.setProperty(LoggingConfigurator.LEVEL_PROPERTY, session.logLevel());
    root.setColorScheme(CommandLine.Help.defaultColorScheme(session.ansi()));
    if (!parseResult.hasSubcommand()
        && !parseResult.isUsageHelpRequested()
        && !parseResult.isVersionHelpRequested()) {
      throw new ParameterException(root, "a command is missing");
    }
    return new RunLast().execute(parseResult);
  }

  private static List<String> helpSections(List<String> usual) {
    List<String> keys = new ArrayList<>(usual);
    keys.add(keys.indexOf(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING), SettingsHelp.KEY);
    return keys;
  }

  /**
   * Registers parsers for enum options. Their values have the names that help and messages show, in
   * any case.
   */
  private void registerConstants(CommandLine command) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (option.type().isEnum()) {
        registerConstants(option.type());
      }
    }
  }

  private <T> void registerConstants(Class<T> type) {
    root.registerConverter(type, text -> constant(type.getEnumConstants(), text));
  }

  private static <T> T constant(T[] constants, String text) {
    StringJoiner names = new StringJoiner(", ");
    for (T constant : constants) {
      String name = constant.toString().toLowerCase(Locale.ROOT);
      if (name.equalsIgnoreCase(text)) {
        return constant;
      }
      names.add(name);
    }
    throw new TypeConversionException("'" + text + "' is not one of " + names);
  }

  /** Wraps a parser of arguments. Its message becomes the user's error line. */
  private static <T> ITypeConverter<T> converter(ITypeConverter<T> parser) {
    return text -> {
      try {
        return parser.convert(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }
}
