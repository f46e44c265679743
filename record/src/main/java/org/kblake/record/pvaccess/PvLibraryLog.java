package org.kblake.record.pvaccess;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.epics.pva.PVASettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the warnings of core-pva to the log of the process. One that is repeated, such as that of a
 * name server which is away, is logged once a minute.
 */
final class PvLibraryLog extends Handler {

  private static final Logger LOG = LoggerFactory.getLogger("org.epics.pva");
  private static final PvLibraryLog INSTANCE = new PvLibraryLog();
  private static final long PERIOD_MILLIS = 60_000;
  private static final int MOST_KNOWN = 1000;

  private final Map<String, Long> logged = new LinkedHashMap<>();

  private PvLibraryLog() {}

  /** Takes all messages of core-pva from now on. */
  static void install() {
    PVASettings.logger.setUseParentHandlers(false);
    PVASettings.logger.removeHandler(INSTANCE);
    PVASettings.logger.addHandler(INSTANCE);
  }

  @Override
  public void publish(@Nullable LogRecord message) {
    if (message == null || message.getLevel().intValue() < Level.WARNING.intValue()) {
      return;
    }
    Throwable thrown = message.getThrown();
    String text = message.getMessage() + (thrown == null ? "" : ": " + thrown.getMessage());
    if (isNews(text, message.getMillis())) {
      LOG.warn("{}", text);
      LOG.debug("{}", text, thrown);
    }
  }

  private synchronized boolean isNews(String text, long nowMillis) {
    Long before = logged.get(text);
    if (before != null && Math.abs(nowMillis - before) < PERIOD_MILLIS) {
      return false;
    }
    if (logged.size() >= MOST_KNOWN) {
      logged.clear();
    }
    logged.put(text, nowMillis);
    return true;
  }

  @Override
  public void flush() {
    // Nothing is kept.
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
