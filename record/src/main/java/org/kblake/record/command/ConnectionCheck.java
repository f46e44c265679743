package org.kblake.record.command;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.Group;
import org.kblake.record.group.ListFile;
import org.kblake.record.group.RecordList;
import org.kblake.record.pvaccess.PvAccessSource;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.EventKind;

/** Reads the lists of groups, tries to connect their channels, and prints them. Writes nothing. */
final class ConnectionCheck {

  private static final long SECOND_NANOS = 1_000_000_000;

  /** The check ends if no connection changes for this time. */
  private static final long IDLE_NANOS = 3 * SECOND_NANOS;

  private static final long LONGEST_NANOS = 30 * SECOND_NANOS;
  private static final int BATCH = 1000;

  private final Session session;
  private final RecordPlan plan;
  private final RecordPlan.Loader loader;

  /** By group, and those of canaries. */
  private final Map<String, List<Row>> rows = new LinkedHashMap<>();

  private final Map<Integer, Row> byNumber = new HashMap<>();
  private boolean isWrong;
  private long changedNanos;

  /** A channel. */
  private static final class Row {
    final String name;
    boolean isConnected;
    String server = "";
    String type = "";
    int elements;
    String reason = "";

    Row(String name) {
      this.name = RecordList.shown(name);
    }

    boolean isKnown() {
      return isConnected || !reason.isEmpty();
    }
  }

  ConnectionCheck(Session session, RecordPlan plan, RecordPlan.Loader loader) {
    this.session = session;
    this.plan = plan;
    this.loader = loader;
  }

  /**
   * Checks and prints.
   *
   * @return {@link ExitStatus#INCOMPLETE} if something is wrong
   */
  int run() throws IOException, InterruptedException {
    LiveSources sources = new LiveSources(session.environment().variables());
    try (ChannelSource source = sources.start(plan.settings())) {
      plan.groups().forEach(group -> open(group, source));
      openCanaries(source);
      sources.notes(plan.settings(), isPvAccessUsed()).forEach(session::report);
      await(source);
    }
    try (Writer out = session.text()) {
      for (Map.Entry<String, List<Row>> each : rows.entrySet()) {
        print(each.getKey(), each.getValue(), out);
      }
    }
    rows.forEach(this::reportMissing);
    return isWrong ? ExitStatus.INCOMPLETE : ExitStatus.DONE;
  }

  private boolean isPvAccessUsed() {
    return byNumber.values().stream().anyMatch(row -> row.name.startsWith(PvAccessSource.PREFIX));
  }

  private void open(Group group, ChannelSource source) {
    ListFile file = plan.list(group, loader);
    List<Row> ofGroup = new ArrayList<>();
    try {
      RecordList list = file.read();
      list.problems().forEach(this::wrong);
      for (String name : list.names()) {
        ofGroup.add(open(name, source));
      }
    } catch (NoSuchFileException e) {
      wrong(group + ": record list does not exist: file=" + file.path());
    } catch (IOException e) {
      wrong(group + ": " + ErrorLine.of(e));
    }
    rows.put(group.toString(), ofGroup);
  }

  private void openCanaries(ChannelSource source) {
    List<Row> canaries = new ArrayList<>();
    plan.settings().ledger().canaries().values().forEach(name -> canaries.add(open(name, source)));
    if (!canaries.isEmpty()) {
      rows.put("canaries", canaries);
    }
  }

  private Row open(String name, ChannelSource source) {
    Row row = new Row(name);
    try {
      byNumber.put(source.open(name), row);
    } catch (IllegalArgumentException e) {
      row.reason = RecordList.shorten(String.valueOf(e.getMessage()), name);
    }
    return row;
  }

  private void wrong(String line) {
    isWrong = true;
    session.incomplete(line);
  }

  private void await(ChannelSource source) throws InterruptedException {
    long begin = System.nanoTime();
    long now = begin;
    changedNanos = begin;
    while (!byNumber.values().stream().allMatch(Row::isKnown)
        && now - changedNanos < IDLE_NANOS
        && now - begin < LONGEST_NANOS) {
      if (source.poll(this::take, BATCH) == 0) {
        source.await(SECOND_NANOS / 10);
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      now = System.nanoTime();
    }
  }

  private void take(ChannelEvent event) {
    Row row = byNumber.get(event.channel());
    if (row == null || event.kind() == EventKind.VALUE) {
      return;
    }
    changedNanos = System.nanoTime();
    if (event.kind() == EventKind.CONNECTED) {
      row.isConnected = true;
      row.server = event.server();
      row.type = event.type().name().toLowerCase(Locale.ROOT);
      row.elements = event.count();
    } else if (event.kind() == EventKind.DISCONNECTED) {
      String detail = event.detail();
      row.isConnected = false;
      row.reason = event.reason().text() + (detail.isEmpty() ? "" : ": " + detail);
    }
  }

  private void reportMissing(String group, List<Row> channels) {
    long missing = channels.stream().filter(row -> !row.isConnected).count();
    if (missing > 0) {
      wrong(group + ": " + missing + " of " + channels.size() + " channels are not connected");
    }
  }

  private static void print(String group, List<Row> channels, Writer out) throws IOException {
    out.write("%s%n".formatted(group));
    int width = channels.stream().mapToInt(row -> row.name.length()).max().orElse(0);
    String form = "%-" + Math.max(7, width) + "s  %-9s  ";
    if (!channels.isEmpty()) {
      out.write(
          (form + "%-21s  %-6s  %8s%n")
              .formatted("CHANNEL", "CONNECTED", "SERVER", "TYPE", "ELEMENTS"));
    }
    for (Row row : channels) {
      if (row.isConnected) {
        out.write(
            (form + "%-21s  %-6s  %8d%n")
                .formatted(row.name, "yes", row.server, row.type, row.elements));
      } else {
        String reason = row.reason.isEmpty() ? "no server answers" : row.reason;
        out.write((form + "%s%n").formatted(row.name, "no", reason));
      }
    }
  }
}
