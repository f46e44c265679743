package org.kblake.cli.command.look;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.HeldQuery;

/**
 * The times of the last values of channels: of the values that they held at the end of their last
 * pair.
 */
final class LastValues {

  private final Settings settings;
  private final ArchiveReader reader;
  private final Consumer<String> problems;

  /**
   * @param problems gets a line on each log that may have later values and cannot be read
   */
  LastValues(Settings settings, ArchiveReader reader, Consumer<String> problems) {
    this.settings = settings;
    this.reader = reader;
    this.problems = problems;
  }

  /** The channels of a group whose last pair ends where this pair begins. */
  private record Ending(Group group, @Nullable String nextStamp) {}

  /** Returns nanoseconds since 1970 UTC by channel, for those that have a value. */
  Map<Channel, Long> of(Collection<RecordedChannel> channels) throws IOException {
    Map<Ending, List<ChannelPattern>> byEnd = new LinkedHashMap<>();
    for (RecordedChannel channel : channels) {
      byEnd
          .computeIfAbsent(
              new Ending(channel.group(), channel.nextStamp()), any -> new ArrayList<>())
          .add(ChannelPattern.knownName(channel.name()));
    }
    Map<Channel, Long> times = new HashMap<>();
    for (Map.Entry<Ending, List<ChannelPattern>> entry : byEnd.entrySet()) {
      try {
        addTimes(entry.getKey(), entry.getValue(), times);
      } catch (UnavailableException e) {
        problems.accept(String.valueOf(e.getMessage()));
      }
    }
    return times;
  }

  private void addTimes(Ending ending, List<ChannelPattern> names, Map<Channel, Long> times)
      throws IOException {
    OptionalLong end = end(ending);
    if (end.isEmpty()) {
      return;
    }
    List<Group> group = List.of(ending.group());
    HeldQuery query =
        HeldQuery.of(new ChannelSelection(group, names), Instant.EPOCH)
            .at(end.getAsLong())
            .lookBack(settings.get(CommonSetting.LOOK_BACK))
            .allowIncomplete();
    HeldValues held = reader.held(query);
    for (HeldValue value : held.values()) {
      if (value.isKnown()) {
        times.put(value.channel(), value.sinceNanos());
      }
    }
    for (CoverageSpan span : held.coverage().missing()) {
      problems.accept(span.toString());
    }
  }

  private OptionalLong end(Ending ending) throws IOException {
    String next = ending.nextStamp();
    if (next != null) {
      PairName name = new PairName(ending.group().name(), next);
      return OptionalLong.of(name.latestBeginNanos(settings.zone()));
    }
    LatestTime latest = reader.findLatest(ending.group());
    if (latest.unread() != null) {
      problems.accept(ending.group() + ": " + latest.unread());
    }
    return latest.nanos();
  }
}
