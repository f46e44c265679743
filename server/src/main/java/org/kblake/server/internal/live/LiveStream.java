package org.kblake.server.internal.live;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.EventFollower;

/** One client's stream: it follows channels until the client goes away or the server ends. */
final class LiveStream {

  private final EventFollower follower;
  private final Duration heartbeat;
  private final LiveBatch batch = new LiveBatch();
  private long sentNanos = System.nanoTime();
  private boolean complete = true;

  /** The reason why following failed; null while it works. */
  private @Nullable String failure;

  private volatile boolean ending;

  /**
   * @param follower the caller closes it
   * @param heartbeat the longest time without a line
   */
  LiveStream(EventFollower follower, Duration heartbeat) {
    this.follower = follower;
    this.heartbeat = heartbeat;
  }

  /**
   * Sends events until the stream ends.
   *
   * @throws IOException if the client went away, or takes nothing for too long
   */
  void run(EventStream out) throws IOException {
    heartbeat(out);
    while (!ending && failure == null) {
      if (next(Duration.ZERO)) {
        add(out);
      } else if (!batch.isEmpty()) {
        send(out);
      } else {
        sendLosses(out);
        if (next(untilHeartbeat())) {
          add(out);
        } else if (!ending && untilHeartbeat().isZero()) {
          heartbeat(out);
        }
      }
      sendNotes(out);
    }
    send(out);
    String reason = failure;
    if (ending || reason == null) {
      out.end(complete && follower.coverage().isComplete(), "the server ends");
    } else {
      out.end(false, reason);
    }
  }

  /** Returns whether there is a run. A failure is kept as the reason of the end. */
  private boolean next(Duration timeout) {
    try {
      return failure == null && follower.next(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = "the server ends";
    } catch (IOException | RuntimeException e) {
      failure = String.valueOf(e.getMessage());
    }
    return false;
  }

  private Duration untilHeartbeat() {
    Duration left = heartbeat.minusNanos(System.nanoTime() - sentNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private void heartbeat(EventStream out) throws IOException {
    out.heartbeat();
    sentNanos = System.nanoTime();
  }

  private void add(EventStream out) throws IOException {
    if (!batch.takes(follower)) {
      send(out);
    }
    int row = follower.from();
    while (row < follower.to()) {
      row = batch.add(follower, row);
      if (batch.isFull()) {
        send(out);
      }
    }
  }

  private void send(EventStream out) throws IOException {
    if (!batch.isEmpty()) {
      for (Map.Entry<Integer, EventColumns> each : batch.byChannel().entrySet()) {
        out.events(follower.channels().get(each.getKey()), each.getValue());
      }
      out.flush();
      sentNanos = System.nanoTime();
      batch.clear();
    }
  }

  private void sendNotes(EventStream out) throws IOException {
    for (String note : follower.notes()) {
      complete = false;
      send(note, out);
    }
  }

  /** Sends what recorders may have lost: the stream has all of the log, and stays complete. */
  private void sendLosses(EventStream out) throws IOException {
    if (!ending && failure == null) {
      for (String note : follower.losses()) {
        send(note, out);
      }
    }
  }

  private void send(String note, EventStream out) throws IOException {
    out.note(note);
    out.flush();
    sentNanos = System.nanoTime();
  }

  /** Ends the stream. Another thread may call this. */
  void end() throws IOException {
    ending = true;
    follower.close();
  }
}
