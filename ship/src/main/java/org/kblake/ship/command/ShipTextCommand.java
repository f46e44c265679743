package org.kblake.ship.command;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.core.model.Group;
import org.kblake.format.OutputFormat;
import org.kblake.format.text.EventLines;
import org.kblake.format.text.LineForm;
import org.kblake.format.time.TimeStyle;
import org.kblake.query.ArchiveReader;
import org.kblake.ship.state.StateDirectory;
import org.kblake.ship.work.TextSink;
import org.kblake.ship.work.Workers;

/**
 * {@code kblake ship ndjson} and {@code kblake ship csv}: the lines of {@code kblake get}, from the
 * place on at which the last command ended.
 */
public final class ShipTextCommand implements Command {

  private final Session session;
  private final OutputFormat format;
  private final CommandModel model;
  private final ShipOptions events;

  public ShipTextCommand(Session session, OutputFormat format) {
    this.session = session;
    this.format = format;
    String name = format.name().toLowerCase(Locale.ROOT);
    model =
        CommandModel.of(name, "Write events to standard output as " + name + ", and continue.")
            .description(
                "",
                "Writes the lines of kblake get -f "
                    + name
                    + ", with the column group. The place in the logs is in --state, and written"
                    + " when standard output has taken all before it. The same command again"
                    + " writes what is new. After a kill lines of the last ten seconds may"
                    + " come twice.")
            .footer("  kblake ship " + name + " --state shipped -g VA/CCG | consumer");
    events = new ShipOptions(model, session);
  }

  @Override
  public CommandModel model() {
    return model;
  }

  /** Takes nothing until it is opened: the header is for the begin only. */
  private static final class LaterOutput extends FilterOutputStream {
    private boolean open;

    LaterOutput(OutputStream out, boolean open) {
      super(out);
      this.open = open;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (open) {
        out.write(bytes, from, length);
      }
    }
  }

  @Override
  public Integer call() throws IOException {
    Shipping shipping = new Shipping(session);
    try (ArchiveReader archive = events.archive();
        StateDirectory states = events.states(format.name().toLowerCase(Locale.ROOT))) {
      return Stoppable.run(
          session,
          () -> String.format(Locale.ROOT, "%,d events are written", shipping.events()),
          () -> {
            EventLines lines = lines(isBegin(archive, states));
            return shipping.run(
                all -> events.open(archive, states, (group, begin) -> new TextSink(lines), all),
                new Workers(1, events.everyNanos(), events.follows(), null));
          });
    }
  }

  private boolean isBegin(ArchiveReader archive, StateDirectory states) throws IOException {
    for (Group group : events.groups(archive)) {
      if (states.state(group) != null) {
        return false;
      }
    }
    return true;
  }

  private EventLines lines(boolean withHeader) throws IOException {
    LaterOutput out = new LaterOutput(session.out(), withHeader);
    LineForm form = new LineForm(format, TimeStyle.ISO, session.settings().outZone(), true, false);
    EventLines lines = new EventLines(out, form);
    lines.flush();
    out.open = true;
    return lines;
  }
}
