package org.kblake.ship.command;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.ship.work.GroupShipment;
import org.kblake.ship.work.Workers;

/** Shipments that are open, and closed whatever happens, so that their states are written. */
final class Shipping {

  private final Session session;
  private final List<GroupShipment> open = new CopyOnWriteArrayList<>();

  Shipping(Session session) {
    this.session = session;
  }

  /** Returns the number of events of this process. */
  long events() {
    return open.stream().mapToLong(GroupShipment::events).sum();
  }

  /** Opens the shipments of groups that have none yet. */
  interface Opening {
    void open(List<GroupShipment> all) throws IOException;
  }

  /** Ships all groups, and returns the exit status. */
  int run(Opening opening, Workers workers) throws IOException, InterruptedException {
    int status = ExitStatus.DONE;
    try {
      workers.run(
          () -> {
            int before = open.size();
            opening.open(open);
            return List.copyOf(open.subList(before, open.size()));
          });
    } finally {
      close();
      for (GroupShipment each : open) {
        String refusal = each.refusal();
        if (refusal != null) {
          session.incomplete(refusal);
          status = ExitStatus.INCOMPLETE;
        }
      }
    }
    for (GroupShipment each : open) {
      if (!each.hasChannels()) {
        continue;
      }
      session.note(String.format(Locale.ROOT, "%s: %,d events", each.group(), each.events()));
      if (each.isBehind()) {
        session.incomplete(
            each.group() + ": newer logs wait until one before them is closed, or can be read");
        status = ExitStatus.INCOMPLETE;
      }
    }
    return status;
  }

  private void close() throws IOException {
    IOException failure = null;
    for (GroupShipment each : open) {
      try {
        each.close();
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
