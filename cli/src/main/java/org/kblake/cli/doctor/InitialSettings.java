package org.kblake.cli.doctor;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The text of a first settings file.
 *
 * @param archive the archive
 * @param store the store; null if it is not known yet
 * @param zone the zone of the archive's file names
 */
public record InitialSettings(Path archive, @Nullable Path store, String zone) {

  /** Returns the text as TOML. */
  public String text() {
    return "# The settings of kblake. kblake config check reports mistakes, and shows all settings.\n"
        + "archive = "
        + quoted(archive.toString())
        + "\n"
        + (store == null
            ? "# store = \"/ssd/kblake\"    # the directory of the columns, on a local disk"
            : "store = " + quoted(store.toString()))
        + "\nzone = "
        + quoted(zone)
        + "    # of the archive's file names\n";
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        quoted.append('\\').append(each);
      } else if (each < ' ' || each == 0x7f) {
        quoted.append("\\u%04x".formatted((int) each));
      } else {
        quoted.append(each);
      }
    }
    return quoted.append('"').toString();
  }
}
