package org.kblake.cli.command.status;

import org.kblake.cli.check.Severity;
import org.kblake.cli.frame.TextColor;

/** The colours of severities. */
final class SeverityColor {

  private SeverityColor() {}

  static TextColor of(Severity severity) {
    return switch (severity) {
      case OK -> TextColor.GREEN;
      case UNKNOWN -> TextColor.BOLD;
      case WARNING -> TextColor.MAGENTA;
      case CRITICAL -> TextColor.RED;
    };
  }
}
