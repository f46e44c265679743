package org.kblake.cli.document;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingsTable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A command's manual page in the macros of man(7), made from picocli's model of the command.
 * picocli's own generator writes AsciiDoc only, and the converter from AsciiDoc does not run on
 * Maven 3.8.
 */
final class ManualPage {

  private final CommandSpec spec;
  private final Help help;
  private final String version;
  private final StringBuilder page = new StringBuilder();

  /**
   * @param command the command, from which the options of all commands are removed
   */
  ManualPage(CommandLine command, String version) {
    this.spec = command.getCommandSpec();
    if (spec.parent() != null) {
      CommandModel.removeCommonOptions(spec);
    }
    this.help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
    this.version = version;
  }

  /** Returns the page's name, such as {@code kblake-get}. */
  String name() {
    return spec.qualifiedName("-");
  }

  String roff() {
    String name = name();
    macro(".TH \"%s\" 1 \"\" \"kblake %s\" \"kblake\"", name.toUpperCase(Locale.ROOT));
    section("NAME");
    text(name + " - " + String.join(" ", spec.usageMessage().header()));
    section("SYNOPSIS");
    text(help.synopsis(0).strip().replaceAll("\\s+", " "));
    section("DESCRIPTION");
    paragraphs(spec.usageMessage().description());
    if (!spec.positionalParameters().isEmpty()) {
      section("ARGUMENTS");
      spec.positionalParameters().forEach(this::argument);
    }
    options();
    if (!spec.subcommands().isEmpty()) {
      section("COMMANDS");
      spec.subcommands()
          .forEach((command, line) -> item(bold(command), header(line.getCommandSpec())));
    }
    if (spec.parent() == null) {
      settings();
    } else if (spec.name().equals("run") || spec.name().equals("config")) {
      section("SETTINGS");
      keys(RunSetting.TABLE);
    }
    section("EXIT STATUS");
    spec.usageMessage().exitCodeList().forEach((status, meaning) -> item(bold(status), meaning));
    if (spec.usageMessage().footer().length > 0) {
      section("EXAMPLES");
      text("They run in the directory of kblake demo --keep.");
      page.append(".nf\n");
      Arrays.stream(spec.usageMessage().footer()).forEach(this::text);
      page.append(".fi\n");
    }
    seeAlso();
    return page.toString();
  }

  private void options() {
    if (!spec.options().isEmpty()) {
      section("OPTIONS");
      spec.options().stream()
          .sorted(Comparator.comparingInt(OptionSpec::order))
          .forEach(this::option);
    }
    if (spec.parent() != null) {
      page.append(".PP\n");
      text("kblake(1) describes common options and settings.");
    }
  }

  private void settings() {
    section("SETTINGS");
    text(
        "A setting comes from its option, else from the environment, else from the settings"
            + " file, else it is the default. The settings file is the first that exists of"
            + " --config, KBLAKE_CONFIG, kblake.toml in the working directory,"
            + " /etc/kblake/kblake.toml. It has lines KEY = \"VALUE\".");
    keys(CommonSetting.TABLE);
  }

  private void keys(SettingsTable table) {
    for (SettingKey<?> key : table.keys()) {
      item(
          bold(table.label(key.name()))
              + (key.variable() == null ? "" : ", " + bold(key.variable())),
          key.meaning() + (key.preset() == null ? "" : "; default: " + key.preset()));
    }
  }

  private void seeAlso() {
    CommandSpec root = spec.parent() == null ? spec : spec.parent();
    List<String> pages =
        root.subcommands().values().stream()
            .map(line -> line.getCommandSpec().qualifiedName("-"))
            .filter(other -> !other.equals(name()))
            .collect(Collectors.toList());
    if (spec.parent() != null) {
      pages.add(0, root.name());
    }
    if (!pages.isEmpty()) {
      section("SEE ALSO");
      page.append(
          pages.stream().map(p -> bold(p) + "(1)").collect(Collectors.joining(",\n", "", "\n")));
    }
  }

  private static String header(CommandSpec command) {
    return String.join(" ", command.usageMessage().header());
  }

  private void argument(PositionalParamSpec argument) {
    item(bold(argument.paramLabel()), description(argument));
  }

  private void option(OptionSpec option) {
    String names =
        Arrays.stream(option.names()).map(ManualPage::bold).collect(Collectors.joining(", "));
    boolean isFlag = option.arity().max() == 0;
    item(
        isFlag ? names : names + "=\\fI" + escaped(option.paramLabel()) + "\\fR",
        description(option));
  }

  /** Returns the description as in the help, with picocli's variables replaced. */
  private static String description(ArgSpec argument) {
    return String.join(" ", argument.description());
  }

  private void section(String title) {
    page.append(".SH ").append(title).append('\n');
  }

  private void item(String term, String meaning) {
    page.append(".TP\n").append(term).append('\n');
    text(meaning);
  }

  private void paragraphs(String[] lines) {
    for (String line : lines) {
      if (line.isEmpty()) {
        page.append(".PP\n");
      } else {
        text(line);
      }
    }
  }

  private void text(String lines) {
    for (String line : plain(lines).split("\\R")) {
      // A dot or quote in the first column would begin a macro
      page.append(line.startsWith(".") || line.startsWith("'") ? "\\&" : "");
      page.append(escaped(line)).append('\n');
    }
  }

  /** Removes picocli's markup and the escapes of percent signs. */
  private static String plain(String text) {
    return Help.Ansi.OFF.string(text.replace("%n", "\n").replace("%%", "%"));
  }

  private void macro(String format, String name) {
    page.append(String.format(format, name, version)).append('\n');
  }

  private static String bold(String text) {
    return "\\fB" + escaped(text) + "\\fR";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
  }
}
