package org.kblake.cli.command.status;

import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.kblake.cli.command.shared.JsonText;
import org.kblake.core.internal.store.access.Access;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;

/**
 * The hit ratios that other budgets would have had, by the recorded reads.
 *
 * @param reads the number of recorded reads of logs that exist
 * @param fromMillis the time of the first of them, milliseconds since 1970 UTC; 0 if there is none
 * @param toMillis the time of the last of them
 * @param logBytes the bytes of log that they read
 * @param hitRatio the share of these bytes that came from columns, 0 to 1
 * @param budgets the hit ratios by budget, the smallest budget first
 */
record WhatIf(
    int reads,
    long fromMillis,
    long toMillis,
    long logBytes,
    double hitRatio,
    List<Budget> budgets) {

  /** Without recorded reads. */
  static final WhatIf NONE = new WhatIf(0, 0, 0, 0, 0, List.of());

  /** The number of budgets. Each is half of the next one. */
  private static final int BUDGETS = 8;

  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  /**
   * A budget.
   *
   * @param bytes the budget in bytes
   * @param isSet whether it is the budget of the settings
   * @param leastRecentlyUsed the hit ratio if the least recently read blocks are evicted first
   * @param oldest the hit ratio if the blocks of the oldest events are evicted first
   */
  record Budget(long bytes, boolean isSet, double leastRecentlyUsed, double oldest) {}

  /**
   * Computes the hit ratios.
   *
   * @param recorded records of reads in the order of their times
   * @param setBytes the budget of the settings; 0 if there is none
   * @param freshMillis the age from which log is in columns
   */
  static WhatIf of(ModelBlocks blocks, List<Access> recorded, long setBytes, long freshMillis) {
    List<Access> known = recorded.stream().filter(each -> !blocks.read(each).isEmpty()).toList();
    if (known.isEmpty()) {
      return NONE;
    }
    List<Budget> budgets = new ArrayList<>();
    for (long bytes : sizes(CacheModel.wholeBudgetBytes(blocks), setBytes)) {
      budgets.add(
          new Budget(
              bytes,
              bytes == setBytes,
              new CacheModel(blocks, bytes, Eviction.LEAST_RECENTLY_USED, freshMillis)
                  .hitRatio(known),
              new CacheModel(blocks, bytes, Eviction.OLDEST, freshMillis).hitRatio(known)));
    }
    long all = known.stream().mapToLong(Access::logBytes).sum();
    long hits = known.stream().filter(Access::fromColumns).mapToLong(Access::logBytes).sum();
    return new WhatIf(
        known.size(),
        known.get(0).atMillis(),
        known.get(known.size() - 1).atMillis(),
        all,
        all == 0 ? 0 : (double) hits / all,
        budgets);
  }

  /** Returns powers of two up to the first one that holds everything, and the set budget. */
  private static TreeSet<Long> sizes(long wholeBytes, long setBytes) {
    TreeSet<Long> sizes = new TreeSet<>();
    long size = Math.max(1, Long.highestOneBit(Math.max(1, wholeBytes - 1)) << 1);
    for (int i = 0; i < BUDGETS && size > 0; i++) {
      sizes.add(size);
      size /= 2;
    }
    if (setBytes > 0) {
      sizes.add(setBytes);
    }
    return sizes;
  }

  void writeText(Writer out, ZoneId zone) throws IOException {
    if (reads == 0) {
      out.append(String.format("%nwhat-if  no reads are recorded; kblake run records them%n"));
      return;
    }
    out.append(
        String.format(
            Locale.ROOT,
            "%nwhat-if  %,d reads of %s of log from %s to %s, %.1f%% from columns%n",
            reads,
            new ByteSize(logBytes),
            MINUTES.format(Instant.ofEpochMilli(fromMillis).atZone(zone)),
            MINUTES.format(Instant.ofEpochMilli(toMillis).atZone(zone)),
            100 * hitRatio));
    out.append(String.format("%10s  %19s  %8s%n", "BUDGET", "LEAST RECENTLY USED", "OLDEST"));
    for (Budget budget : budgets) {
      out.append(
          String.format(
              Locale.ROOT,
              "%10s  %18.1f%%  %7.1f%%%s%n",
              new ByteSize(budget.bytes),
              100 * budget.leastRecentlyUsed,
              100 * budget.oldest,
              budget.isSet ? "  set" : ""));
    }
  }

  /** Writes a field {@code whatIf}. */
  void writeJson(JsonText json, ZoneId zone) throws IOException {
    json.object(
        "whatIf",
        () -> {
          json.field("reads", reads);
          if (reads > 0) {
            json.field("from", isoTime(fromMillis, zone));
            json.field("to", isoTime(toMillis, zone));
          }
          json.field("logBytes", logBytes);
          json.field("hitRatio", hitRatio);
          json.objects(
              "budgets",
              budgets,
              budget -> {
                json.field("budgetBytes", budget.bytes);
                json.field("set", budget.isSet);
                json.field("leastRecentlyUsed", budget.leastRecentlyUsed);
                json.field("oldest", budget.oldest);
              });
        });
  }

  private static String isoTime(long millis, ZoneId zone) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(Instant.ofEpochMilli(millis).atZone(zone));
  }
}
