package org.kblake.ship.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.cli.command.shared.ChannelPatterns;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.format.argument.TimeArgument.Bound;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.Source;
import org.kblake.ship.state.ShipOrder;
import org.kblake.ship.state.ShipState;
import org.kblake.ship.state.StateDirectory;
import org.kblake.ship.work.GroupShipment;
import org.kblake.ship.work.GroupSink;

/** The options of all commands of {@code kblake ship}: which events, and where the state is. */
final class ShipOptions {

  private static final Duration SHORTEST = Duration.ofMillis(10);

  private final Session session;
  private final Values<String> channels;
  private final GroupOption groups;
  private final OptionalValue<TimeArgument> from;
  private final Value<Path> state;
  private final Flag follow;
  private final Value<Duration> every;

  ShipOptions(CommandModel model, Session session) {
    this.session = session;
    channels =
        model.arguments(String.class, "CHANNEL", "A name, or a glob such as 'VA*'. Default: all.");
    groups = new GroupOption(model);
    from =
        model.value(
            TimeArgument.class,
            "TIME",
            "Events at or after this time, for groups without a state. Default: all.",
            "--from");
    state =
        model.required(
            Path.class,
            "DIR",
            "The directory of the state: what was shipped, a file for each group.",
            "--state");
    follow = model.flag("Go on with new events, until stopped.", "--follow");
    every =
        model.preset(
            Duration.class,
            "1s",
            "TIME",
            "With --follow: the period in which groups are looked at. Default: ${DEFAULT-VALUE}.",
            "--every");
  }

  boolean follows() {
    return follow.isSet();
  }

  long everyNanos() {
    if (every.get().compareTo(SHORTEST) < 0) {
      throw new UsageException("--every is at least 10ms");
    }
    return every.get().toNanos();
  }

  /** Opens the archive without former names: a channel is one record. The caller closes it. */
  ArchiveReader archive() throws IOException {
    return ArchiveReader.builder()
        .archive(session.settings().archive())
        .settings(session.settings().archiveSettings())
        .withoutAdmission()
        .open();
  }

  /** Opens the directory of the state. The caller closes it. */
  StateDirectory states(String receiver) throws IOException {
    return StateDirectory.open(
        session.path(state.get()),
        ShipOrder.of(
            receiver, channels.get().isEmpty() ? List.of("*") : channels.get(), fromNanos()),
        session.settings().archiveIfSet());
  }

  private List<ChannelPattern> patterns() {
    return channels.get().isEmpty()
        ? List.of(ChannelPattern.glob("*"))
        : ChannelPatterns.of(channels.get());
  }

  private long fromNanos() {
    TimeArgument begin = from.get();
    return begin == null ? Long.MIN_VALUE : RangeOptions.nanos(session, begin, Bound.FROM);
  }

  /** Returns the groups with events of the selection since the begin. */
  List<Group> groups(ArchiveReader archive) throws IOException {
    TimeRange range = new TimeRange(fromNanos(), Long.MAX_VALUE);
    ChannelSelection selection =
        ChannelSelection.of(patterns()).in(groups.named().toArray(Group[]::new));
    FoundChannels found = archive.find(EventQuery.of(selection).between(range));
    found.unread().forEach(span -> session.incomplete("channels may be missing: " + span.detail()));
    Set<Group> all = new LinkedHashSet<>();
    for (ChannelInfo info : found.channels()) {
      all.add(info.channel().group());
    }
    if (all.isEmpty()) {
      throw new RequestException("no channel: " + selection);
    }
    return new ArrayList<>(all);
  }

  /** Returns the state of a group on the disk, or that of a begin. */
  private ShipState state(StateDirectory states, Group group) throws IOException {
    ShipState known = states.state(group);
    if (known == null) {
      return ShipState.begin(states.order());
    }
    if (from.isGiven() && known.order().fromNanos() != states.order().fromNanos()) {
      session.note(group + ": --from is not used, --state has the place to continue from");
    }
    return known;
  }

  /**
   * Begins to read a group from the position of a state on; from the begin if it has none.
   *
   * @return the caller closes it
   */
  EventFollower events(ArchiveReader archive, Group group, ShipState state) throws IOException {
    Scope scope =
        Scope.of(ChannelSelection.of(patterns()).in(group))
            .at(state.order().fromNanos())
            .from(Source.RAW);
    Duration poll = Duration.ofNanos(Math.max(everyNanos() / 2, SHORTEST.toNanos()));
    FollowQuery query = new FollowQuery(scope, true, Long.MAX_VALUE, poll);
    return archive.followLogs(query, state.position());
  }

  /** Makes the sink of a group. */
  interface Sinks {
    GroupSink of(Group group, ShipState begin);
  }

  /**
   * Opens a shipment for each group that has none yet. To follow, each group of the archive has
   * one, because it may have such channels later. The caller closes them.
   */
  void open(ArchiveReader archive, StateDirectory states, Sinks sinks, List<GroupShipment> all)
      throws IOException {
    Set<Group> known = new HashSet<>();
    all.forEach(each -> known.add(each.group()));
    Set<Group> wanted = new LinkedHashSet<>(all.isEmpty() ? groups(archive) : List.of());
    if (follows()) {
      List<Group> named = groups.named();
      try {
        archive.groups().stream()
            .filter(each -> named.isEmpty() || named.contains(each))
            .forEach(wanted::add);
      } catch (UnavailableException e) {
        // Each group reports the error.
      }
    }
    for (Group group : wanted) {
      if (known.add(group)) {
        ShipState begin = state(states, group);
        EventFollower events = events(archive, group, begin);
        GroupShipment.Saved saved = new GroupShipment.Saved(states.file(group), begin);
        GroupSink sink = sinks.of(group, begin);
        all.add(new GroupShipment(events, sink, group, saved, session::note));
      }
    }
  }
}
