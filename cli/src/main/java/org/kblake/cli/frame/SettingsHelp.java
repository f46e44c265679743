package org.kblake.cli.frame;

import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.ShownSetting;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/**
 * The part of the program's help that shows the present settings and their origins, and the line in
 * the help of a command that points to it.
 */
final class SettingsHelp implements IHelpSectionRenderer {

  static final String KEY = "kblakeSettings";

  private final Session session;

  SettingsHelp(Session session) {
    this.session = session;
  }

  @Override
  public String render(Help help) {
    if (help.commandSpec().parent() != null) {
      return "%n%s --help describes common options and settings.%n"
          .formatted(help.commandSpec().root().name());
    }
    StringBuilder text = new StringBuilder("\nSettings now, and their origins:\n");
    try {
      for (ShownSetting line : session.settings().lines()) {
        text.append(String.format("  %-15s %-24s %s%n", line.key(), line.value(), line.source()));
      }
      text.append("  Options come first, then KBLAKE_ARCHIVE, KBLAKE_STORE,\n");
      text.append("  KBLAKE_METADATA, KBLAKE_ZONE, KBLAKE_OUT_ZONE, then kblake.toml:\n");
      text.append("  --config, KBLAKE_CONFIG, the working directory, /etc/kblake.\n");
    } catch (UsageException e) {
      text.append("  ").append(e.getMessage()).append('\n');
    }
    return text.toString();
  }
}
