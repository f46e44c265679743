package org.kblake.cli.command.look;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ChannelMetadata;

/**
 * The columns of a table of channels behind their names: unit, aliases and description. If nothing
 * is known of any channel, there are none. If none has an alias, that column is missing.
 */
final class MetadataColumns {

  private static final int MAX_DESCRIPTION = 60;

  private final List<ChannelMetadata> all;
  private int nameWidth = "NAME".length();
  private int unitWidth = "UNIT".length();
  private int aliasesWidth;
  private boolean known;

  /**
   * @param all the metadata in the order of the table's rows
   */
  MetadataColumns(List<ChannelMetadata> all) {
    this.all = all;
    for (ChannelMetadata metadata : all) {
      nameWidth = Math.max(nameWidth, metadata.channel().name().length());
      unitWidth = Math.max(unitWidth, shown(metadata.unit()).length());
      if (!metadata.formerNames().isEmpty()) {
        aliasesWidth =
            Math.max(aliasesWidth, Math.max("ALIASES".length(), aliases(metadata).length()));
      }
      known |= metadata.unit() != null || aliasesWidth > 0 || !description(metadata).equals("-");
    }
  }

  /** Returns the header from the name on. */
  String header() {
    return known ? row("NAME", "UNIT", "ALIASES", "DESCRIPTION") : "NAME";
  }

  /** Returns a row from the name on. */
  String row(int index) {
    ChannelMetadata metadata = all.get(index);
    String name = metadata.channel().name();
    return known
        ? row(name, shown(metadata.unit()), aliases(metadata), description(metadata))
        : name;
  }

  private String row(String name, String unit, String aliases, String description) {
    String begin = String.format("%-" + nameWidth + "s  %-" + unitWidth + "s  ", name, unit);
    return aliasesWidth == 0
        ? begin + description
        : begin + String.format("%-" + aliasesWidth + "s  %s", aliases, description);
  }

  private static String aliases(ChannelMetadata metadata) {
    List<String> names = metadata.formerNames();
    return names.isEmpty() ? "-" : String.join(", ", names);
  }

  private static String description(ChannelMetadata metadata) {
    if (!metadata.presentNames().isEmpty()) {
      return "now " + String.join(", ", metadata.presentNames());
    }
    return shown(metadata.description());
  }

  /** Returns one line of a text; a dash if it is unknown. */
  private static String shown(@Nullable String text) {
    if (text == null) {
      return "-";
    }
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= MAX_DESCRIPTION ? line : line.substring(0, MAX_DESCRIPTION - 3) + "...";
  }
}
