package org.kblake.record.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.kblake.cli.command.shared.ChannelPatterns;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.ByteSize;
import org.kblake.query.question.ChannelPattern;
import org.kblake.record.group.ArchiveLists;
import org.kblake.record.group.RecordList;
import org.kblake.record.importing.ImportReport;
import org.kblake.record.importing.ImportReport.Kind;
import org.kblake.record.importing.ImportSettings;

/** The options of the commands that import. */
final class ImportOptions {

  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

  private final Values<String> words;
  private final Value<Group> group;
  private final OptionalValue<Path> list;
  private final RangeOptions range;
  private final Value<Duration> milestone;
  private final Value<Duration> silence;
  private final Value<ByteSize> largestLog;
  private final Flag dryRun;

  ImportOptions(CommandModel model) {
    words =
        model.arguments(
            String.class, "CHANNEL", "Names and globs of channels; default: all channels.");
    group =
        model.required(
            Group.class,
            "SYSTEM/NAME",
            "The group that gets the events. It has no logs of other programs in that time.",
            "--group");
    list =
        model.value(Path.class, "FILE", "Also the channels of this file, one in a line.", "--list");
    range = new RangeOptions(model);
    milestone =
        model.preset(
            Duration.class,
            "1h",
            "DURATION",
            "Interval between milestones, at most 1h. Default: ${DEFAULT-VALUE}.",
            "--milestone");
    silence =
        model.preset(
            Duration.class,
            "1d",
            "DURATION",
            "A longer time without an event of any channel counts as not recorded."
                + " Default: ${DEFAULT-VALUE}.",
            "--silence");
    largestLog =
        model.preset(
            ByteSize.class,
            "256M",
            "SIZE",
            "A new pair begins before a log is larger. Default: ${DEFAULT-VALUE}.",
            "--largest-log");
    dryRun = model.flag("Print the channels that would be imported. Writes nothing.", "--dry-run");
  }

  Group group() {
    Group chosen = group.get();
    if (chosen.system().equals(ArchiveLists.LEDGERS)) {
      throw new UsageException("group is a ledger, which recorders write: group=" + chosen);
    }
    return chosen;
  }

  boolean isDryRun() {
    return dryRun.isSet();
  }

  /** Returns the range, which without options is everything. */
  TimeRange range(Session session) {
    return range.hasFrom() || range.hasTo() ? range.range(session, false) : TimeRange.ALL;
  }

  ImportSettings settings(Session session) {
    if (milestone.get().compareTo(LONGEST_INTERVAL) > 0 || milestone.get().toSeconds() < 1) {
      throw new UsageException("--milestone is not 1s to 1h: " + milestone.get().toSeconds() + "s");
    }
    Duration bound = session.settings().get(CommonSetting.DISORDER_BOUND);
    return new ImportSettings(
        milestone.get().toNanos(),
        silence.get().toNanos(),
        bound.toNanos() / 4,
        largestLog.get().bytes());
  }

  /**
   * Returns the chosen ones of all channels, in their order.
   *
   * @param report gets channels whose names no index can have
   * @throws RequestException if a name is not there
   */
  List<String> channels(Session session, List<String> all, ImportReport report) throws IOException {
    List<String> patterns = new ArrayList<>(words.get());
    Set<String> listed = new LinkedHashSet<>();
    Path file = list.get();
    if (file != null) {
      RecordList names = RecordList.read(session.path(file));
      names.problems().forEach(session::report);
      listed.addAll(names.names());
    }
    Predicate<String> isChosen = patterns.isEmpty() ? name -> file == null : matcher(patterns, all);
    List<String> chosen = new ArrayList<>();
    for (String name : all) {
      boolean isListed = listed.remove(name);
      if (isListed || isChosen.test(name)) {
        chosen.add(name);
      }
    }
    if (!listed.isEmpty()) {
      throw new RequestException(
          "the source has no channel of the list: channel=" + listed.iterator().next());
    }
    List<String> valid = RecordList.of(chosen, "the source").names();
    Set<String> kept = new HashSet<>(valid);
    for (String name : chosen) {
      if (!kept.contains(name)) {
        report.count(Kind.CHANNEL, "name is not ASCII without blanks: channel=" + name);
      }
    }
    return valid;
  }

  private static Predicate<String> matcher(List<String> patterns, List<String> all) {
    Predicate<String> any = name -> false;
    for (ChannelPattern pattern : ChannelPatterns.meant(patterns, all, false)) {
      Predicate<String> one = pattern.matcher();
      if (all.stream().noneMatch(one)) {
        throw new RequestException("the source has no such channel: " + pattern);
      }
      any = any.or(one);
    }
    return any;
  }
}
