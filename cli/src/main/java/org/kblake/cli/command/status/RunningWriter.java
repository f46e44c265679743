package org.kblake.cli.command.status;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.process.ThisProcess;
import org.kblake.core.internal.store.WriterLock;

/**
 * A process of this host that writes the store.
 *
 * @param what the command, such as {@code kblake backfill}
 * @param pid the process ID
 * @param since the start of the process
 */
record RunningWriter(String what, long pid, Instant since) {

  private static final Pattern HOLDER =
      Pattern.compile("host=(\\S+) pid=(\\d{1,18}) since=(\\S+).*");
  private static final List<String> COMMANDS = List.of("backfill", "compact", "verify", "run");

  /** Finds the writer of a store; null if none is known to run, or its entry is damaged. */
  static @Nullable RunningWriter of(Path store) throws IOException {
    String holder = WriterLock.lastHolder(store);
    Matcher fields = HOLDER.matcher(holder == null ? "" : holder);
    if (!fields.matches()) {
      return null;
    }
    long pid = Long.parseLong(fields.group(2));
    Instant since;
    try {
      since = Instant.parse(fields.group(3));
    } catch (DateTimeParseException e) {
      return null;
    }
    // The name of this host may take long to look up, and most writers have ended.
    return ThisProcess.isRunning(pid, since) && fields.group(1).equals(ThisProcess.host())
        ? new RunningWriter(what(pid), pid, since)
        : null;
  }

  /** Returns whether it is a process that publishes its status. */
  boolean isRun() {
    return what.equals("kblake run");
  }

  private static String what(long pid) {
    return ThisProcess.arguments(pid).stream()
        .filter(COMMANDS::contains)
        .findFirst()
        .map("kblake "::concat)
        .orElse("a process");
  }
}
