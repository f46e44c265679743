package org.kblake.ship.influx;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kblake.cli.error.RequestException;
import org.kblake.ship.line.PointLines;
import org.kblake.ship.state.RefusedLines;

/**
 * Sends batches of lines until each line is accepted, or refused and kept. A request of which the
 * server refuses some lines is divided until they are alone: points that are written again replace
 * themselves. Threads share it.
 */
public final class LineSender {

  /**
   * A batch of so many lines that is refused as a whole before any line was accepted is an error of
   * the settings, unless the server says that it looked at the lines.
   */
  private static final int NOT_BY_CHANCE = 10;

  private static final long FIRST_WAIT_MILLIS = 100;
  private static final long LONGEST_WAIT_MILLIS = 10_000;
  private static final String LOOKED = "partial write";
  private static final Pattern DROPPED = Pattern.compile("dropped=(\\d{1,9})");

  private final InfluxServer server;
  private final Duration deadline;
  private final Consumer<String> notes;
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicBoolean away = new AtomicBoolean();

  /** Lines [from, to) of a batch that the server refuses. */
  private record Refusal(int from, int to, String reason) {}

  /**
   * @param deadline the time for which a request is repeated
   * @param notes gets a line when the server is away, and when it is back, and when it refuses the
   *     first line of a file
   */
  public LineSender(InfluxServer server, Duration deadline, Consumer<String> notes) {
    this.server = server;
    this.deadline = deadline;
    this.notes = notes;
  }

  /** Returns the number of lines that the server accepted. */
  public long accepted() {
    return accepted.get();
  }

  /**
   * Sends the lines of a batch. Afterwards each is in the database or in the file of refused lines.
   *
   * @throws IOException if the server is away until the deadline, or the file cannot be written
   * @throws RequestException if the server refuses the request, or each of the first lines
   */
  public void send(PointLines batch, RefusedLines refused)
      throws IOException, InterruptedException {
    List<Refusal> refusals = new ArrayList<>();
    send(batch, 0, batch.lines(), refusals);
    int lost = refusals.stream().mapToInt(each -> each.to - each.from).sum();
    if (lost == batch.lines()
        && lost >= NOT_BY_CHANCE
        && accepted.get() == 0
        && refusals.stream().noneMatch(each -> each.reason.contains(LOOKED))) {
      throw new RequestException(
          "InfluxDB refuses each of "
              + lost
              + " lines: receiver="
              + server
              + ", found "
              + refusals.get(0).reason);
    }
    if (!refusals.isEmpty() && refused.count() == 0) {
      notes.accept(
          "InfluxDB refuses lines, kept in "
              + refused.file()
              + ", found "
              + refusals.get(0).reason);
    }
    for (Refusal each : refusals) {
      refused.add(each.reason, batch.bytes(each.from, each.to), each.to - each.from);
    }
    accepted.addAndGet(batch.lines() - lost);
  }

  private void send(PointLines batch, int from, int to, List<Refusal> refusals)
      throws IOException, InterruptedException {
    InfluxServer.Reply reply = deliver(batch.gzip(from, to));
    if (reply.isAccepted()) {
      return;
    }
    if (to - from == 1 || dropped(reply.message()) == to - from) {
      refusals.add(new Refusal(from, to, reply.message()));
      return;
    }
    int middle = (from + to) >>> 1;
    send(batch, from, middle, refusals);
    send(batch, middle, to, refusals);
  }

  /** Returns the number of lines that the server says it dropped; -1 if it does not say. */
  private static int dropped(String message) {
    Matcher number = DROPPED.matcher(message);
    return number.find() ? Integer.parseInt(number.group(1)) : -1;
  }

  /** Repeats a request until the server accepts it, or refuses lines of it. */
  private InfluxServer.Reply deliver(byte[] gzip) throws IOException, InterruptedException {
    long beginNanos = System.nanoTime();
    long waitMillis = FIRST_WAIT_MILLIS;
    while (true) {
      String problem;
      long asked = 0;
      try {
        InfluxServer.Reply reply = server.write(gzip);
        if (reply.isAccepted() || reply.isOfLines()) {
          if (away.compareAndSet(true, false)) {
            notes.accept("InfluxDB answers again: receiver=" + server);
          }
          return reply;
        }
        problem = "status=" + reply.status() + ", found " + reply.message();
        if (!reply.isTemporary()) {
          throw new RequestException("InfluxDB refuses: receiver=" + server + ", " + problem);
        }
        asked = TimeUnit.SECONDS.toMillis(reply.retryAfterSeconds());
      } catch (IOException e) {
        problem =
            "found " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
      }
      long leftMillis =
          deadline.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
      if (leftMillis <= 0) {
        throw new IOException(
            "InfluxDB is away: receiver="
                + server
                + ", "
                + problem
                + ", tried for "
                + deadline.toSeconds()
                + " s");
      }
      if (away.compareAndSet(false, true)) {
        notes.accept("InfluxDB is away, tried again: receiver=" + server + ", " + problem);
      }
      long jittered = waitMillis / 2 + ThreadLocalRandom.current().nextLong(waitMillis / 2 + 1);
      Thread.sleep(Math.min(Math.max(jittered, asked), leftMillis));
      waitMillis = Math.min(waitMillis * 2, LONGEST_WAIT_MILLIS);
    }
  }
}
