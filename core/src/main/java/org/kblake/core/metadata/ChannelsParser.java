package org.kblake.core.metadata;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;

/** Parses a metadata file. Wrong rows and cells are reported and left out. */
final class ChannelsParser implements CsvRows.Receiver {

  /** The most channels of a file. */
  static final int MAX_CHANNELS = 200_000;

  private final Group group;
  private final ZoneId zone;
  private final ChannelsText text;
  private final FileProblems problems;
  private final Map<String, ChannelMetadata> channels = new LinkedHashMap<>();
  private final Map<String, List<RecordName>> former = new HashMap<>();

  /** The records that are former names, with their limits. */
  private final Set<RecordName> claimed = new HashSet<>();

  private int @Nullable [] places;
  private @Nullable String unread;

  private ChannelsParser(Group group, Path file, ZoneId zone, byte[] bytes) {
    this.group = group;
    this.zone = zone;
    text = new ChannelsText(bytes);
    problems = new FileProblems(file);
  }

  /**
   * @param file the name of the file in messages
   * @param zone the zone of dates without offset
   */
  static GroupMetadata parse(Group group, Path file, ZoneId zone, byte[] bytes) {
    ChannelsParser parser = new ChannelsParser(group, file, zone, bytes);
    CsvRows.read(parser.text.text(), parser);
    return new GroupMetadata(
        group,
        parser.channels,
        parser.former.isEmpty() ? Aliases.NONE : new Aliases(parser.former),
        parser.problems.lines(),
        parser.unread);
  }

  /**
   * Returns whether a file may have former names, by its first line.
   *
   * @return also true if the line is not the header, or the file cannot be used
   */
  static boolean mayHaveFormerNames(byte[] firstLine) {
    ChannelsText text = new ChannelsText(firstLine);
    Set<ChannelColumn> columns = EnumSet.noneOf(ChannelColumn.class);
    CsvRows.read(
        text.text(),
        new CsvRows.Receiver() {
          @Override
          public boolean row(int first, int last, List<String> cells) {
            cells.stream()
                .map(ChannelColumn::ofHeader)
                .filter(Objects::nonNull)
                .forEach(columns::add);
            return false;
          }

          @Override
          public boolean wrong(int line, String what) {
            return false;
          }
        });
    return text.isWrong(1, 1)
        || !columns.contains(ChannelColumn.NAME)
        || columns.contains(ChannelColumn.FORMER);
  }

  @Override
  public boolean wrong(int line, String what) {
    problems.add(line, what);
    return !problems.areTooMany();
  }

  @Override
  public boolean row(int firstLine, int lastLine, List<String> cells) {
    if (text.isWrong(firstLine, lastLine)) {
      return wrong(firstLine, "not UTF-8, the line is left out; save the file as UTF-8");
    }
    int[] known = places;
    if (known == null) {
      places = header(firstLine, cells);
      return places != null;
    }
    if (channels.size() == MAX_CHANNELS) {
      wrong(firstLine, "more than " + MAX_CHANNELS + " channels, the rest is left out");
      return false;
    }
    channel(firstLine, new CellValues(firstLine, cells, known, problems));
    return !problems.areTooMany();
  }

  private int @Nullable [] header(int line, List<String> cells) {
    int[] found = new int[ChannelColumn.values().length];
    Arrays.fill(found, -1);
    for (int i = 0; i < cells.size(); i++) {
      ChannelColumn column = ChannelColumn.ofHeader(cells.get(i));
      if (column != null && found[column.ordinal()] >= 0) {
        problems.add(line, "column " + column.header() + " occurs twice, the first one counts");
      } else if (column != null) {
        found[column.ordinal()] = i;
      }
    }
    if (found[ChannelColumn.NAME.ordinal()] < 0) {
      problems.add(line, "the header has no column name, the file is not used");
      unread = problems.lines().get(problems.lines().size() - 1);
      return null;
    }
    return found;
  }

  private void channel(int line, CellValues cells) {
    String name = cells.text(ChannelColumn.NAME);
    if (name == null) {
      problems.add(line, "name is empty, the line is left out");
      return;
    }
    if (channels.containsKey(name)) {
      problems.add(line, "channel occurs twice, the first line counts: " + name);
      return;
    }
    List<RecordName> records = cells.former(name, zone);
    records.removeIf(
        record -> {
          boolean again = !claimed.add(record);
          if (again) {
            problems.add(line, "former name belongs to another channel already: " + record.name());
          }
          return again;
        });
    OptionalDouble low = cells.number(ChannelColumn.LOW);
    OptionalDouble high = cells.number(ChannelColumn.HIGH);
    channels.put(
        name,
        new ChannelMetadata(
            new Channel(group, name),
            cells.text(ChannelColumn.UNIT),
            cells.digits(ChannelColumn.PRECISION),
            low,
            high,
            cells.number(ChannelColumn.LOLO),
            cells.number(ChannelColumn.LO),
            cells.number(ChannelColumn.HI),
            cells.number(ChannelColumn.HIHI),
            cells.labels(),
            cells.text(ChannelColumn.DESCRIPTION),
            records.stream().map(RecordName::name).toList(),
            List.of()));
    if (!records.isEmpty()) {
      former.put(name, records);
    }
  }
}
