package org.kblake.ship.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.ship.work.GroupShipment;
import org.kblake.ship.work.Workers;

/** Shipments that are open, and closed whatever happens, so that their states are written. */
final class Shipping {

  private final Session session;
  private final List<GroupShipment> open = new ArrayList<>();

  Shipping(Session session) {
    this.session = session;
  }

  /** Opens the shipments. */
  interface Opening {
    void open(List<GroupShipment> into) throws IOException;
  }

  /** Returns the number of events of this process. */
  long events() {
    return open.stream().mapToLong(GroupShipment::events).sum();
  }

  /** Ships all groups, and returns the exit status. */
  int run(Opening opening, Workers workers) throws IOException, InterruptedException {
    try {
      opening.open(open);
      workers.run(open);
    } finally {
      close();
    }
    int status = ExitStatus.DONE;
    for (GroupShipment each : open) {
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
