package org.kblake.cli.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The layout of help. It is as wide as the window. The help of the program describes the options of
 * all commands and the settings. The help of a command points to it.
 */
final class HelpLayout {

  /** Narrower help is hard to read. */
  private static final int MIN_COLUMNS = 60;

  /** Longer lines are hard to read. */
  private static final int MAX_COLUMNS = 120;

  private final Session session;
  private final CommandLine root;

  HelpLayout(Session session, CommandLine root) {
    this.session = session;
    this.root = root;
  }

  /**
   * Prepares the help of the commands of a parsed command line.
   *
   * @param commands the program and the commands that the line names
   */
  void prepare(List<CommandLine> commands) {
    root.setColorScheme(Help.defaultColorScheme(session.ansi()));
    root.setUsageHelpWidth(Math.max(MIN_COLUMNS, Math.min(session.outColumns(), MAX_COLUMNS)));
    Map<String, IHelpSectionRenderer> sections = root.getHelpSectionMap();
    sections.put(SettingsHelp.KEY, new SettingsHelp(session));
    sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, HelpLayout::examples);
    root.setHelpSectionMap(sections);
    List<String> keys = new ArrayList<>(root.getHelpSectionKeys());
    keys.add(keys.indexOf(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING), SettingsHelp.KEY);
    root.setHelpSectionKeys(keys);
    for (CommandLine each : commands) {
      if (!each.equals(root)) {
        CommandModel.removeCommonOptions(each.getCommandSpec());
      }
    }
  }

  /** Returns the examples as they are written: a line that is broken cannot be pasted. */
  private static String examples(Help help) {
    String[] lines = help.commandSpec().usageMessage().footer();
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }
}
