package org.kblake.cli.command.look;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Release;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

/**
 * Describes what the views over a store cover: the period of each group's columns, and the log that
 * is not in columns. The sizes of logs come from the file system, so no log is read.
 */
final class ViewDescription {

  private final Session session;
  private final Store store;

  ViewDescription(Session session, Store store) {
    this.session = session;
    this.store = store;
  }

  /**
   * Returns the lines.
   *
   * @param command the command that prints the views again
   */
  List<String> lines(List<Group> groups, String command) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("DuckDB views over the store " + store.directory().toAbsolutePath().normalize());
    lines.add("Printed " + time(session.now()) + " by kblake " + Release.version());
    lines.add("They name the present files. They lack what is stored later, and they fail");
    lines.add("if files are merged or evicted. Refresh them by: " + command + " > FILE");
    lines.add("They have the events in columns of these periods.");
    lines.add("kblake get reads the rest, too.");
    Archive archive = null;
    String unknown = "unknown, no archive is set";
    try {
      archive =
          session.settings().isSet(CommonSetting.ARCHIVE) ? session.settings().openArchive() : null;
    } catch (UnavailableException e) {
      unknown = "unknown, " + e.getMessage();
    }
    for (Group group : groups) {
      // A damaged block is reported when its views are written.
      List<Block> blocks = store.blocks(group, damaged -> {});
      lines.add(group + ": " + columns(blocks));
      String missing = archive == null ? unknown : missing(archive, group, blocks);
      if (!missing.isEmpty()) {
        lines.add("  not in columns: " + missing);
      }
    }
    return lines;
  }

  private String columns(List<Block> blocks) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    long events = 0;
    for (Block block : blocks) {
      first = Math.min(first, block.summary().firstNanos());
      last = Math.max(last, block.summary().lastNanos());
      events += block.summary().events();
    }
    return first > last
        ? "nothing in columns"
        : time(first) + " to " + time(last) + ", events=" + events;
  }

  private String missing(Archive archive, Group group, List<Block> blocks) {
    Coverage coverage = Block.coverage(blocks);
    long bytes = 0;
    Pair first = null;
    Pair last = null;
    List<String> problems = new ArrayList<>();
    try {
      for (Pair pair : archive.pairsOfKnown(group, true, problems::add)) {
        long left = bytesNotIn(coverage, pair);
        if (left > 0) {
          first = first == null ? pair : first;
          last = pair;
          bytes += left;
        }
      }
    } catch (IOException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    String found = bytes == 0 ? "" : bytes + " bytes of log" + period(first, last);
    return problems.isEmpty()
        ? found
        : found + (bytes == 0 ? "unknown, " : ", and unknown, ") + problems.get(0);
  }

  private static long bytesNotIn(Coverage coverage, Pair pair) throws IOException {
    long bytes = Files.size(pair.logPath());
    for (LogSpan span : coverage.held(pair.stamp(), 0, bytes)) {
      bytes -= span.bytes();
    }
    return bytes;
  }

  private String period(@Nullable Pair first, @Nullable Pair last) {
    if (first == null || last == null) {
      return "";
    }
    String begin = " of the pairs from " + time(first.beginNanos());
    return last.isSuperseded() ? begin + " to " + time(last.endNanos()) : begin + " on";
  }

  private String time(long nanos) {
    return time(Instant.ofEpochSecond(0, nanos));
  }

  private String time(Instant instant) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
        instant.truncatedTo(ChronoUnit.SECONDS).atZone(session.settings().outZone()));
  }
}
