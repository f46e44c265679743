package org.kblake.query.internal.catalog;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.kblake.core.archive.Interruption;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.metadata.RecordName;
import org.kblake.query.question.ChannelPattern;

/** The channels of a group that record names stand for. */
public final class ChannelNames {

  private ChannelNames() {}

  /**
   * Returns the channels that a pattern matches. A former name stands for the present channel, and
   * for itself.
   *
   * @param records names of records in their order
   * @throws InterruptedIOException if the thread is interrupted
   */
  public static Set<String> matching(
      ChannelPattern pattern, Iterable<String> records, Aliases aliases)
      throws InterruptedIOException {
    Pattern matcher = pattern.compile();
    Set<String> names = new LinkedHashSet<>();
    for (String record : records) {
      Interruption.check();
      for (String present : aliases.presentOf(record)) {
        if (matcher.matcher(present).find()) {
          names.add(present);
        }
      }
      if (matcher.matcher(record).find()) {
        names.add(record);
      }
    }
    return names;
  }

  /**
   * Returns the selected channels of a group without former names of others of them.
   *
   * @param isRecordedAfter whether a record is recorded after a time, nanoseconds since 1970 UTC;
   *     then it is another channel from that time on
   * @throws InterruptedIOException if the thread is interrupted
   */
  public static Set<String> withoutFormer(
      Set<String> selected, Aliases aliases, BiPredicate<String, Long> isRecordedAfter)
      throws InterruptedIOException {
    if (aliases.isEmpty()) {
      return selected;
    }
    Set<String> kept = new LinkedHashSet<>();
    for (String name : selected) {
      Interruption.check();
      long until = aliases.untilNanos(name, selected);
      boolean isFormer =
          until > Long.MIN_VALUE
              && aliases.formerOf(name).stream()
                  .noneMatch(former -> isRecordedAfter.test(former.name(), Long.MIN_VALUE))
              && (until == Long.MAX_VALUE || !isRecordedAfter.test(name, until));
      if (!isFormer) {
        kept.add(name);
      }
    }
    return kept;
  }

  /**
   * Returns the records of a selected channel.
   *
   * @param selected the names of all selected channels of the group
   * @param isRecordedAfter whether a record is recorded after a time, nanoseconds since 1970 UTC;
   *     if not, its strays belong to the channel that it was until this time
   * @throws InterruptedIOException if the thread is interrupted: a selection has many channels
   */
  public static List<RecordName> records(
      String name, Set<String> selected, Aliases aliases, BiPredicate<String, Long> isRecordedAfter)
      throws InterruptedIOException {
    Interruption.check();
    List<RecordName> former = aliases.formerOf(name);
    List<RecordName> records = new ArrayList<>();
    long from = Long.MIN_VALUE;
    for (String present : aliases.presentOf(name)) {
      long until = aliases.untilNanos(name, Set.of(present));
      // The name of a renamed channel may have been that of another one before.
      boolean isLimit = selected.contains(present) || !former.isEmpty() && until < Long.MAX_VALUE;
      from = isLimit ? Math.max(from, until) : from;
    }
    if (from < Long.MAX_VALUE) {
      records.add(new RecordName(name, from, Long.MAX_VALUE));
    }
    for (RecordName record : former) {
      boolean isLast =
          aliases.untilNanos(record.name(), Set.copyOf(aliases.presentOf(record.name())))
              == record.untilNanos();
      boolean hasStrays =
          record.hasStrays() || isLast && !isRecordedAfter.test(record.name(), record.untilNanos());
      records.add(
          new RecordName(record.name(), record.fromNanos(), record.untilNanos(), hasStrays));
    }
    return records;
  }
}
