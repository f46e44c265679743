package org.kblake.cli.command;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.Glob;
import org.kblake.cli.argument.NearestNames;
import org.kblake.cli.frame.ExitStatus;
import org.kblake.cli.frame.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.core.log.Archive;
import org.kblake.core.model.Group;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kblake channels}: what is recorded, and since when. */
@Command(
    name = "channels",
    header = "List the channels of an archive.",
    description = {
      "",
      "One name per line, every name that any pair of the archive records. A pattern is a glob, as"
          + " of a shell: * any text, ? any character, [abc] one of these, [!abc] none of these."
    },
    footer = {
      "  kblake channels",
      "  kblake channels -i 'va_ccg:*'",
      "  kblake channels -l -g VA/CCG '*:PRES'"
    })
public final class ChannelsCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(arity = "0..1", paramLabel = "PATTERN", description = "A name or a glob.")
  private @Nullable String pattern;

  @Option(
      names = {"-g", "--group"},
      paramLabel = "GROUP",
      description = "Only this group, SYSTEM/NAME; may be given more than once.")
  private List<Group> groups = new ArrayList<>();

  @Option(
      names = {"-i", "--ignore-case"},
      description = "The pattern does not tell a from A.")
  private boolean ignoreCase;

  @Option(
      names = {"-l", "--long"},
      description =
          "A table: group, type, element count, the first and the last pair that records the"
              + " channel, name.")
  private boolean asTable;

  public ChannelsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    RecordedChannels recorded = new RecordedChannels(session::complain);
    Archive archive = session.settings().openArchive();
    for (Group group : wantedGroups(archive)) {
      recorded.add(archive, group);
    }
    List<RecordedChannel> matching = matching(recorded.all());
    Writer out = session.text();
    if (asTable) {
      writeTable(matching, out);
    } else {
      writeNames(matching, out);
    }
    out.flush();
    return recorded.complete() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private List<Group> wantedGroups(Archive archive) throws IOException {
    List<Group> all = archive.groups(session::complain);
    for (Group group : groups) {
      if (!all.contains(group)) {
        throw new RequestException(
            "no such group: "
                + group
                + NearestNames.hint(group.toString(), all.stream().map(Group::toString).toList()));
      }
    }
    return groups.isEmpty() ? all : groups;
  }

  private List<RecordedChannel> matching(Collection<RecordedChannel> all) {
    if (pattern == null) {
      return List.copyOf(all);
    }
    Pattern regex = Glob.pattern(pattern, ignoreCase);
    List<RecordedChannel> matching =
        all.stream().filter(channel -> regex.matcher(channel.name()).matches()).toList();
    if (matching.isEmpty()) {
      throw new RequestException(
          "no channel is named "
              + pattern
              + NearestNames.hint(pattern, all.stream().map(RecordedChannel::name).toList()));
    }
    return matching;
  }

  /** A name that two groups record is one name here. */
  private static void writeNames(List<RecordedChannel> channels, Writer out) throws IOException {
    Set<String> names = new LinkedHashSet<>();
    channels.forEach(channel -> names.add(channel.name()));
    for (String name : names) {
      out.append(name).append('\n');
    }
  }

  private static void writeTable(List<RecordedChannel> channels, Writer out) throws IOException {
    String row = "%-16s %-6s %5s  %-14s  %-14s  %s%n";
    out.append(String.format(row, "GROUP", "TYPE", "COUNT", "FIRST", "LAST", "NAME"));
    for (RecordedChannel channel : channels) {
      out.append(
          String.format(
              row,
              channel.group(),
              channel.type().text(),
              channel.elementCount(),
              channel.firstStamp(),
              channel.lastStamp(),
              channel.name()));
    }
  }
}
