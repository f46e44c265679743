package org.kblake.ship.command;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.ship.influx.InfluxServer;
import org.kblake.ship.influx.LineSender;
import org.kblake.ship.state.RefusedLines;
import org.kblake.ship.state.ShipState;
import org.kblake.ship.state.StateDirectory;
import org.kblake.ship.work.CorePlacement;
import org.kblake.ship.work.LineSink;
import org.kblake.ship.work.PointCheck;
import org.kblake.ship.work.Workers;

/** {@code kblake ship influxdb}: writes events to a database of InfluxDB. */
public final class ShipInfluxCommand implements Command {

  private static final int MOST_LINES = 100_000;
  private static final String ADVICE = "the same command again continues there";

  private final Session session;
  private final CommandModel model =
      CommandModel.of("influxdb", "Write events to InfluxDB.")
          .description(
              "",
              "Reads the raw logs in their order, and writes each event as a point: measurement"
                  + " kblake, tags channel, group and, for events of equal times, seq"
                  + " (docs/transfer.md). The place in the logs is in --state, and written when"
                  + " InfluxDB has acknowledged all before it. So the same command continues after"
                  + " a stop, a kill or an error, and no event is lost or doubled.",
              "",
              "Lines that InfluxDB refuses are in SYSTEM/GROUP.refused.lp of --state.")
          .footer(
              "  kblake ship influxdb http://host:8086 --database kekb --state shipped",
              "  kblake ship influxdb http://host:8086 --database kekb --state shipped --follow",
              "  kblake ship influxdb http://host:8086 --database kekb --state shipped --verify");

  private final InfluxOptions influx;
  private final ShipOptions events;
  private final Value<String> measurement;
  private final Value<Integer> batch;
  private final OptionalValue<Integer> workers;
  private final Flag pin;
  private final Value<Duration> timeout;
  private final Value<Duration> deadline;
  private final Flag verify;

  public ShipInfluxCommand(Session session) {
    this.session = session;
    influx = new InfluxOptions(model, session);
    events = new ShipOptions(model, session);
    measurement =
        model.preset(
            String.class,
            "kblake",
            "NAME",
            "The measurement. Default: ${DEFAULT-VALUE}.",
            "--measurement");
    batch =
        model.preset(
            Integer.class,
            "5000",
            "N",
            "Lines of a request. Default: ${DEFAULT-VALUE}.",
            "--batch");
    workers =
        model.value(
            Integer.class,
            "N",
            "Threads that read and send, at most one a group. Default: the cores.",
            "--workers");
    pin =
        model.flag("Move each thread to the least busy core, every 10 s. Needs taskset.", "--pin");
    timeout =
        model.preset(
            Duration.class,
            "30s",
            "TIME",
            "The longest wait for an answer. Default: ${DEFAULT-VALUE}.",
            "--timeout");
    deadline =
        model.preset(
            Duration.class,
            "10min",
            "TIME",
            "The time for which a request is repeated while InfluxDB is away. Default:"
                + " ${DEFAULT-VALUE}.",
            "--deadline");
    verify =
        model.flag(
            "Write nothing. Compare the points with the events that were shipped.", "--verify");
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if (batch.get() < 1 || batch.get() > MOST_LINES) {
      throw new UsageException("--batch is 1 to " + MOST_LINES);
    }
    if (verify.isSet() && events.follows()) {
      throw new UsageException("--verify has an end: leave out --follow");
    }
    if (threads() < 1) {
      throw new UsageException("--workers is at least 1");
    }
    InfluxServer server = new InfluxServer(influx.destination(), timeout.get());
    String receiver = server + " " + measurement.get();
    Shipping shipping = new Shipping(session);
    try (ArchiveReader archive = events.archive();
        StateDirectory states = events.states(receiver)) {
      return Stoppable.run(
          session,
          () -> String.format(Locale.ROOT, "%,d events are shipped; %s", shipping.events(), ADVICE),
          () ->
              verify.isSet()
                  ? verify(archive, states, server)
                  : ship(archive, states, server, shipping));
    }
  }

  private int threads() {
    Integer wished = workers.get();
    return wished == null ? Runtime.getRuntime().availableProcessors() : wished;
  }

  private int ship(
      ArchiveReader archive, StateDirectory states, InfluxServer server, Shipping shipping)
      throws IOException, InterruptedException {
    CorePlacement placement = pin.isSet() ? new CorePlacement(session::note) : null;
    Workers pool = new Workers(threads(), events.everyNanos(), events.follows(), placement);
    LineSender sender = new LineSender(server, deadline.get(), session::report);
    ShipOptions.Sinks sinks =
        (group, begin) ->
            new LineSink(
                measurement.get(),
                batch.get(),
                sender,
                new RefusedLines(
                    states.refused(group), begin.refusedBytes(), RefusedLines.MOST_BYTES),
                begin.ranks());
    return shipping.run(all -> events.open(archive, states, sinks, all), pool);
  }

  private int verify(ArchiveReader archive, StateDirectory states, InfluxServer server)
      throws IOException, InterruptedException {
    PointCheck check = new PointCheck(server, measurement.get());
    for (Group group : events.groups(archive)) {
      ShipState state = states.state(group);
      if (state == null) {
        session.note(group + ": nothing was shipped");
        continue;
      }
      try (EventFollower begin = events.events(archive, group, ShipState.begin(state.order()))) {
        check.check(group, begin, state);
      }
    }
    session.report(check.toString());
    return check.isEqual() ? ExitStatus.DONE : ExitStatus.NOT_ANSWERED;
  }
}
