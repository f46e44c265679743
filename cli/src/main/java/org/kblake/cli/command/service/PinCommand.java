package org.kblake.cli.command.service;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Values;
import org.kblake.core.internal.store.Pins;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;

/** {@code kblake pin}: protects groups from eviction. */
public final class PinCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("pin", "Protect groups from eviction.")
          .description(
              "",
              "If the store has a budget, kblake run evicts blocks. Blocks of a pinned group stay,"
                  + " for a period or until the pin is removed. A pin does not put logs into"
                  + " columns. Use kblake backfill for that.",
              "",
              "Without a group it lists the pins: group, and end of the pin.")
          .footer(
              "  kblake pin VA/CCG --for 7d",
              "  kblake pin RF/AnalogData",
              "  kblake pin",
              "  kblake pin --remove VA/CCG RF/AnalogData");

  private final Values<Group> groups =
      model.arguments(
          Group.class, "GROUP", "The groups, SYSTEM/NAME; without one, the pins are listed.");

  private final OptionalValue<Duration> length =
      model.value(
          Duration.class,
          "DURATION",
          "Pin for this period; default: until the pin is removed.",
          "--for");

  private final Flag remove = model.flag("Remove the pins of these groups.", "--remove");

  public PinCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if (groups.get().isEmpty() && (remove.isSet() || length.isGiven())) {
      throw new UsageException((remove.isSet() ? "--remove" : "--for") + " needs a GROUP");
    }
    if (remove.isSet() && length.isGiven()) {
      throw new UsageException("--for and --remove exclude each other");
    }
    try (Store store = Store.open(session.settings().store(), null)) {
      Pins pins = new Pins(store.directory());
      if (groups.get().isEmpty()) {
        list(pins);
      } else if (remove.isSet()) {
        return remove(pins);
      } else {
        pin(pins);
      }
    }
    return ExitStatus.DONE;
  }

  private void list(Pins pins) throws IOException {
    Writer out = session.text();
    for (Map.Entry<Group, Instant> pin : pins.at(session.now()).entrySet()) {
      boolean forever = pin.getValue().equals(Pins.FOREVER);
      out.append(pin.getKey().toString())
          .append('\t')
          .append(forever ? "forever" : pin.getValue().toString())
          .append('\n');
    }
    out.flush();
  }

  private int remove(Pins pins) throws IOException {
    boolean all = true;
    for (Group group : groups.get()) {
      if (!pins.unpin(group)) {
        session.report("group is not pinned: " + group);
        all = false;
      }
    }
    return all ? ExitStatus.DONE : ExitStatus.NOT_ANSWERED;
  }

  private void pin(Pins pins) throws IOException {
    List<Group> known = session.settings().openArchive().groups(session::report);
    Duration wanted = length.get();
    Instant until = wanted == null ? Pins.FOREVER : session.now().plus(wanted);
    for (Group group : GroupChoice.of(groups.get(), known, "the archive")) {
      pins.pin(group, until);
    }
  }
}
