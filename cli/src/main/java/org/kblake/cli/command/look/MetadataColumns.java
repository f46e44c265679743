package org.kblake.cli.command.look;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.query.ArchiveReader;

/**
 * The columns of a table of channels behind their names: unit and description. If nothing is known
 * of any channel, there are none.
 */
final class MetadataColumns {

  private static final int MOST_DESCRIPTION = 60;

  private final List<ChannelMetadata> all = new ArrayList<>();
  private int nameWidth = "NAME".length();
  private int unitWidth = "UNIT".length();
  private boolean known;

  /** Reads the metadata of channels, in the order of the table's rows. */
  MetadataColumns(ArchiveReader reader, List<RecordedChannel> channels) {
    for (RecordedChannel channel : channels) {
      ChannelMetadata metadata = reader.metadata(new Channel(channel.group(), channel.name()));
      all.add(metadata);
      nameWidth = Math.max(nameWidth, channel.name().length());
      unitWidth = Math.max(unitWidth, shown(metadata.unit()).length());
      known |= metadata.unit() != null || !description(metadata).equals("-");
    }
  }

  /** Returns the header from the name on. */
  String header() {
    return known ? row("NAME", "UNIT", "DESCRIPTION") : "NAME";
  }

  /** Returns a row from the name on. */
  String row(int index) {
    ChannelMetadata metadata = all.get(index);
    String name = metadata.channel().name();
    return known ? row(name, shown(metadata.unit()), description(metadata)) : name;
  }

  private String row(String name, String unit, String description) {
    return String.format("%-" + nameWidth + "s  %-" + unitWidth + "s  %s", name, unit, description);
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
    return line.length() <= MOST_DESCRIPTION
        ? line
        : line.substring(0, MOST_DESCRIPTION - 3) + "...";
  }
}
