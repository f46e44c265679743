package org.kblake.transfer.event;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.transfer.event.EventManager.Peer;
import org.kblake.transfer.message.EventCodec;
import org.kblake.transfer.message.EventMessage.Assign;
import org.kblake.transfer.message.EventMessage.Outcome;
import org.kblake.transfer.message.EventMessage.Tally;
import org.kblake.transfer.message.EventTicket;

/**
 * Who builds what. A builder has credit for a number of events. The next event goes to the builder
 * with the fewest. For one thread.
 */
final class EventShares {

  private static final int NAMED = 20;
  private static final long LOOK_NANOS = 1_000_000;

  /** A builder may write for so long, besides the time of its events. */
  private static final long WRITING_NANOS = 30_000_000_000L;

  private final EventPlan plan;
  private final List<Peer> builders;
  private final List<Peer> collectors;

  /** The tickets that each builder has, with their times of assignment. */
  private final List<Map<Long, Given>> given = new ArrayList<>();

  private final Deque<Integer> returned = new ArrayDeque<>();
  private final List<String> names = new ArrayList<>();
  private final long[] lacking;
  private final long begun = System.nanoTime();
  private long last = begun;
  private int next;
  private long number;
  private long built;
  private long lost;
  private long again;

  private record Given(int event, long since) {}

  EventShares(EventPlan plan, List<Peer> builders, List<Peer> collectors) {
    this.plan = plan;
    this.builders = builders;
    this.collectors = collectors;
    lacking = new long[collectors.size()];
    builders.forEach(builder -> given.add(new HashMap<>()));
  }

  /** Returns whether nothing is left to assign, and each assigned event has an outcome. */
  boolean isOver(long now) {
    return given.stream().allMatch(Map::isEmpty)
        && (isLate(now) || (next == plan.nanos().size() && returned.isEmpty()));
  }

  private boolean isLate(long now) {
    return plan.limit() != null && now - begun >= plan.limit().toNanos();
  }

  /**
   * Assigns what is due and fits into the credit.
   *
   * @return the nanoseconds until something may be due
   */
  long assign(long now) throws IOException {
    Double rate = plan.rate();
    long due = rate == null ? Long.MAX_VALUE : (long) ((now - begun) / 1e9 * rate) + 1;
    List<EventTicket> tickets = new ArrayList<>();
    while (!isLate(now) && tickets.size() < Assign.MOST && number - again < due) {
      int builder = least();
      boolean more = !returned.isEmpty() || next < plan.nanos().size();
      if (builder < 0 || !more) {
        break;
      }
      int event = returned.isEmpty() ? next++ : returned.removeFirst();
      EventTicket ticket = new EventTicket(++number, event, builder);
      given.get(builder).put(ticket.number(), new Given(event, now));
      tickets.add(ticket);
    }
    send(tickets);
    giveUpSilent(now);
    return LOOK_NANOS;
  }

  /** Returns the builder with the fewest events; -1 if none has credit. */
  private int least() {
    int least = -1;
    for (int i = 0; i < builders.size(); i++) {
      int has = given.get(i).size();
      if (!builders.get(i).lost()
          && has < plan.window()
          && (least < 0 || has < given.get(least).size())) {
        least = i;
      }
    }
    return least;
  }

  private void send(List<EventTicket> tickets) throws IOException {
    if (!plan.pulls() && !tickets.isEmpty()) {
      ByteBuffer all = EventCodec.encode(new Assign(tickets));
      for (Peer collector : collectors) {
        collector.line.send(all);
      }
    }
    for (int i = 0; i < builders.size(); i++) {
      int index = i;
      List<EventTicket> own = tickets.stream().filter(each -> each.builder() == index).toList();
      if (!own.isEmpty()) {
        builders.get(i).line.send(new Assign(own));
      }
    }
  }

  /** A builder that tells nothing of an event for too long is lost. */
  private void giveUpSilent(long now) {
    long most = 4 * plan.deadline().toNanos() + WRITING_NANOS;
    for (int i = 0; i < builders.size(); i++) {
      if (given.get(i).values().stream().anyMatch(each -> now - each.since() > most)) {
        builders.get(i).line.closeQuietly();
      }
    }
  }

  /** Takes the outcome of an event. */
  void end(Outcome outcome, Peer builder, long now) {
    int index = builders.indexOf(builder);
    Given event = index < 0 ? null : given.get(index).remove(outcome.ticket());
    if (event == null) {
      return;
    }
    if (outcome.missing() == 0) {
      last = now;
      built++;
      return;
    }
    lost++;
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < collectors.size(); i++) {
      if ((outcome.missing() >> i & 1) != 0) {
        lacking[i]++;
        missing.add(collectors.get(i).data.name());
      }
    }
    if (names.size() < NAMED) {
      long nanos = plan.nanos().get(event.event());
      names.add(
          "event "
              + (event.event() + 1)
              + " at "
              + Instant.ofEpochSecond(0, nanos)
              + " is given up, it lacks fragments of "
              + String.join(", ", missing));
    }
  }

  /** Lets the events of a lost builder be assigned again. */
  void lose(Peer builder) {
    int index = builders.indexOf(builder);
    if (index >= 0) {
      for (Given each : given.get(index).values()) {
        returned.add(each.event());
        again++;
      }
      given.get(index).clear();
    }
  }

  /** Returns what came of it, without the counts of the other sides. */
  EventReport report() {
    if (lost > names.size()) {
      names.add((lost - names.size()) + " more events are given up");
    }
    for (int i = 0; i < lacking.length; i++) {
      if (lacking[i] > 0) {
        names.add(collectors.get(i).data.name() + " lacks in " + lacking[i] + " events");
      }
    }
    Tally none = new Tally(0, 0, 0, 0, 0, 0);
    double seconds = (last - begun) / 1e9;
    return new EventReport(
        plan.nanos().size(), number, built, lost, again, seconds, names, none, none, null);
  }
}
