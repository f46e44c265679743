package org.kblake.cli.handover;

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
import org.kblake.core.internal.store.file.StoreException;

/**
 * The process that has the lock of a store, or had it last.
 *
 * @param text the text in the file of the lock
 * @param host the host
 * @param pid the process ID
 * @param since the start of the process
 */
public record LockHolder(String text, String host, long pid, Instant since) {

  private static final Pattern TEXT = Pattern.compile("host=(\\S+) pid=(\\d{1,18}) since=(\\S+).*");

  private static final List<String> COMMANDS = List.of("backfill", "compact", "verify", "run");

  /** The end of the text of a holder whose version takes requests as files. */
  private static final String EARLIER = " requests=yes";

  /** Finds the last holder; null if there was none, if it is this process, or it is not known. */
  static @Nullable LockHolder last(Path store) throws IOException {
    return parse(WriterLock.lastHolder(store));
  }

  /** Finds the holder that runs on this host; null if none is known to run. */
  public static @Nullable LockHolder running(Path store) throws IOException {
    LockHolder last = last(store);
    // The name of this host may take long to look up, and most writers have ended
    return last != null && last.isAlive() && last.isHere() ? last : null;
  }

  /** Parses the text of a holder; null if it is not known, or its text is damaged. */
  public static @Nullable LockHolder parse(@Nullable String text) {
    Matcher fields = TEXT.matcher(text == null ? "" : text);
    try {
      return text != null && fields.matches()
          ? new LockHolder(
              text,
              fields.group(1),
              Long.parseLong(fields.group(2)),
              Instant.parse(fields.group(3)))
          : null;
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private boolean isAlive() {
    return ThisProcess.isRunning(pid, since);
  }

  private boolean isHere() {
    return host.equals(ThisProcess.host());
  }

  /** Returns whether it is known to have ended. A holder that follows writes its text soon. */
  public boolean hasEnded() {
    return ThisProcess.canSeeOthers() && !isAlive() && isHere();
  }

  /** Returns whether it carries out requests, now or after its start. */
  public boolean takesRequests() {
    return text.endsWith(StoreException.Locked.TAKES_REQUESTS);
  }

  /**
   * Returns why this process cannot ask it, although it takes requests.
   *
   * @return one line with what to do; null if it can be asked, takes no requests, or has ended
   */
  public @Nullable String unreachable() {
    if (text.endsWith(EARLIER) && !hasEnded()) {
      return "kblake run of an earlier version has locked the store, and takes no request of this"
          + " command: "
          + text
          + "; restart kblake run";
    }
    return takesRequests() && !isHere()
        ? "kblake run on another host has locked the store: "
            + text
            + "; run this command on that host"
        : null;
  }

  /** Says that it does not respond, and what to do. */
  public String silence() {
    return "kblake run does not respond: "
        + text
        + "; if it is stopped, continue it (kill -CONT "
        + pid
        + "), otherwise see its log";
  }

  /** Returns the command of a process of this host, such as {@code kblake backfill}. */
  public String command() {
    return ThisProcess.arguments(pid).stream()
        .filter(COMMANDS::contains)
        .findFirst()
        .map("kblake "::concat)
        .orElse("a process");
  }

  /** Returns whether it is a process of this host that publishes its status. */
  public boolean isRun() {
    return command().equals("kblake run");
  }
}
