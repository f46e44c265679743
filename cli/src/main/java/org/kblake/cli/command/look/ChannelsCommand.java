package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.ChannelPatterns;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.shared.OptionalStore;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.core.model.NearestNames;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;

/** {@code kblake channels}: lists the recorded channels. */
public final class ChannelsCommand implements Command {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

  private final Session session;
  private final CommandModel model =
      CommandModel.of("channels", "List the channels of an archive.")
          .description(
              "",
              "Prints one name per line, of all pairs in the archive and in columns. With patterns"
                  + " it prints the names that match any of them. A pattern is a glob as in a shell: * any text, ? any character, [abc] one of these,"
                  + " [!abc] none of these, {a,b} either, \\ the next character as it is. A text that is"
                  + " the name of a channel is this name, and no glob.")
          .footer(
              "  kblake channels",
              "  kblake channels -i 'valccg:*' '*:current'",
              "  kblake channels -l -g VA/CCG '*:PRES'",
              "  kblake channels -f json 'BMLDCCT:*'");

  private final Values<String> patterns =
      model.arguments(
          String.class, "PATTERN", "A name or a glob, or several with commas between them.");

  private final GroupOption groups = new GroupOption(model);

  private final Flag ignoreCase =
      model.flag("Ignore upper and lower case in patterns.", "-i", "--ignore-case");

  private final Flag asTable =
      model.flag(
          "Print a table: group, type, element count, since when the channel is recorded, time of"
              + " its last value, name; unit, aliases and description if metadata are known.",
          "-l",
          "--long");

  private final Value<ChannelsForm> format =
      model.preset(
          ChannelsForm.class,
          "text",
          "FORMAT",
          "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}. json has all that is known of each"
              + " channel.",
          "-f",
          "--format");

  private final Flag onlyGroups =
      model.flag("Print the groups instead of their channels, SYSTEM/NAME.", "--groups");

  /** The progress of reading record tables; null before and after that. */
  private @Nullable Progress progress;

  public ChannelsCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    boolean isJson = format.get() == ChannelsForm.json;
    if (isJson && onlyGroups.isSet()) {
      throw new UsageException("--groups has no format json; leave one of both out");
    }
    Settings settings = session.settings();
    RecordedChannels recorded =
        new RecordedChannels(
            settings.archiveSettings(), this::report, line -> report(session.incompleteLine(line)));
    try (OptionalStore store = OptionalStore.of(settings, recorded::problem)) {
      Archive archive = openArchive(settings, store);
      KnownGroups known = archive == null ? null : KnownGroups.of(settings, archive, store.store());
      List<Group> chosen = chosen(archive, known, store, recorded);
      if (onlyGroups.isSet()) {
        return writeGroups(chosen, recorded.complete());
      }
      Progress shown = session.progress("channels", chosen.size(), ProgressUnit.GROUPS);
      progress = shown;
      try {
        for (Group group : chosen) {
          recorded.add(
              group,
              known == null ? List.of() : pairs(known, group, recorded),
              blocks(store, group, recorded));
          shown.advance(1, 0);
        }
      } finally {
        shown.close();
        progress = null;
      }
      Writer out = session.text();
      List<RecordedChannel> matching =
          matching(recorded.all(), archive != null && recorded.complete());
      if (isJson || asTable.isSet()) {
        ChannelDetails details = details(matching, recorded::problem);
        if (isJson) {
          ChannelsJson.write(details, settings, archive != null && recorded.complete(), out);
        } else {
          writeTable(details, out);
        }
      } else {
        writeNames(matching, out);
      }
      out.flush();
      return archive != null && recorded.complete() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
    }
  }

  /** Reports a line without damage to the shown progress. */
  private void report(String line) {
    Progress shown = progress;
    if (shown == null) {
      session.report(line);
    } else {
      shown.printLine(line);
    }
  }

  /** Opens the archive. Returns null if it cannot be read but the store has blocks. */
  private @Nullable Archive openArchive(Settings settings, OptionalStore store) throws IOException {
    try {
      return settings.openArchive();
    } catch (UnavailableException e) {
      if (store.groups().groups().isEmpty()) {
        throw e;
      }
      session.incomplete(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private List<Group> chosen(
      @Nullable Archive archive,
      @Nullable KnownGroups known,
      OptionalStore store,
      RecordedChannels recorded)
      throws IOException {
    if (known == null) {
      return GroupChoice.ofStore(groups.named(), store.groups(), recorded::problem);
    }
    if (groups.named().isEmpty()) {
      known.problems().forEach(recorded::problem);
    }
    known.notes().forEach(session::report);
    if (archive != null && known.all().isEmpty() && recorded.complete()) {
      throw GroupChoice.noGroups(archive);
    }
    return known.chosen(groups.named(), "archive and store");
  }

  private List<Block> blocks(OptionalStore store, Group group, RecordedChannels recorded)
      throws IOException {
    try {
      return store.blocks(group, this::report);
    } catch (IOException e) {
      recorded.problem(group + ": " + BlockCheck.unreadable(e));
      return List.of();
    }
  }

  private static List<Pair> pairs(KnownGroups known, Group group, RecordedChannels recorded)
      throws IOException {
    try {
      return known.pairs(group, recorded::problem);
    } catch (UnavailableException e) {
      recorded.problem(String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  /**
   * @param complete whether all record tables could be read
   * @throws UnknownChannelException if a pattern matches nothing
   */
  private List<RecordedChannel> matching(Collection<RecordedChannel> all, boolean complete)
      throws UnknownChannelException {
    List<String> names = all.stream().map(RecordedChannel::name).toList();
    List<Predicate<String>> matchers = new ArrayList<>();
    Map<String, List<String>> unknown = new LinkedHashMap<>();
    for (ChannelPattern each : ChannelPatterns.meant(patterns.get(), names, ignoreCase.isSet())) {
      Predicate<String> matcher = each.matcher();
      if (complete && names.stream().noneMatch(matcher)) {
        unknown.put(each.text(), NearestNames.of(each.text(), names));
      }
      matchers.add(matcher);
    }
    if (!unknown.isEmpty()) {
      throw new UnknownChannelException(unknown, List.of());
    }
    return all.stream()
        .filter(
            channel ->
                matchers.isEmpty()
                    || matchers.stream().anyMatch(matcher -> matcher.test(channel.name())))
        .toList();
  }

  private int writeGroups(List<Group> groups, boolean complete) throws IOException {
    Writer out = session.text();
    for (Group group : groups) {
      out.append(group.toString()).append('\n');
    }
    out.flush();
    return complete ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  /** Writes each name once, even if several groups record it. */
  private static void writeNames(List<RecordedChannel> channels, Writer out) throws IOException {
    Set<String> names = new LinkedHashSet<>();
    channels.forEach(channel -> names.add(channel.name()));
    for (String name : names) {
      out.append(name).append('\n');
    }
  }

  private ChannelDetails details(List<RecordedChannel> channels, Consumer<String> problems)
      throws IOException {
    try (ArchiveReader reader = ReaderOpening.open(session, Source.AUTO, false)) {
      return ChannelDetails.read(
          channels, reader, new LastValues(session.settings(), reader, problems));
    }
  }

  private void writeTable(ChannelDetails details, Writer out) throws IOException {
    MetadataColumns metadata = new MetadataColumns(details.metadata());
    String row = "%-16s %-6s %5s  %-19s  %-19s  %s%n";
    out.append(
        String.format(row, "GROUP", "TYPE", "COUNT", "SINCE", "LAST VALUE", metadata.header()));
    for (int i = 0; i < details.channels().size(); i++) {
      RecordedChannel channel = details.channels().get(i);
      out.append(
          String.format(
              row,
              channel.group(),
              channel.type().text(),
              channel.elementCount(),
              time(channel.sinceNanos(session.settings().zone())),
              time(details.lastNanos(i)),
              metadata.row(i)));
    }
  }

  private String time(@Nullable Long nanos) {
    return nanos == null
        ? "-"
        : SECONDS.format(Instant.ofEpochSecond(0, nanos).atZone(session.settings().outZone()));
  }
}
