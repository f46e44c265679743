package org.kblake.cli.frame;

import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.Setting;
import org.kblake.cli.settings.Settings;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/** The part of every help text that shows the present settings and their origins. */
final class SettingsHelp implements IHelpSectionRenderer {

  static final String KEY = "kblakeSettings";

  private final Session session;

  SettingsHelp(Session session) {
    this.session = session;
  }

  @Override
  public String render(Help help) {
    StringBuilder text = new StringBuilder("\nSettings now, and their origins:\n");
    try {
      Settings settings = session.settings();
      for (Setting setting : settings.all()) {
        String value = setting.value() == null ? "-" : setting.value();
        text.append(
            String.format("  %-15s %-24s %s%n", setting.name().key(), value, setting.source()));
      }
      text.append("  Options come first, then KBLAKE_ARCHIVE, KBLAKE_STORE, KBLAKE_ZONE,\n");
      text.append("  KBLAKE_OUT_ZONE, then kblake.toml: --config, KBLAKE_CONFIG, the working\n");
      text.append("  directory, /etc/kblake.\n");
    } catch (UsageException e) {
      text.append("  ").append(e.getMessage()).append('\n');
    }
    return text.toString();
  }
}
