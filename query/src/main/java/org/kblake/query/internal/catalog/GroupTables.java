package org.kblake.query.internal.catalog;

import java.io.InterruptedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.Group;

/**
 * A group's record tables of a period.
 *
 * @param tables the record tables in log order
 * @param endNanos the end of each table's pair, nanoseconds since 1970 UTC
 * @param aliases the former names of the group's channels
 * @param unread why some record tables could not be read; null if all were
 */
public record GroupTables(
    Group group,
    List<RecordTable> tables,
    List<Long> endNanos,
    Aliases aliases,
    @Nullable String unread) {

  /** Returns whether a record has a name, or a former name of its channel. */
  public boolean has(String name) {
    if (isRecordedAfter(name, Long.MIN_VALUE)) {
      return true;
    }
    for (RecordName former : aliases.formerOf(name)) {
      if (isRecordedAfter(former.name(), Long.MIN_VALUE)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a record is in a table whose pair ends after a time. */
  public boolean isRecordedAfter(String record, long nanos) {
    for (int i = 0; i < tables.size(); i++) {
      if (endNanos.get(i) > nanos && tables.get(i).ordinalOfName(record) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of records in all tables. */
  long records() {
    return tables.stream().mapToLong(RecordTable::size).sum();
  }

  /**
   * Returns the names of the records, in the order of the tables.
   *
   * @throws InterruptedIOException if the thread is interrupted
   */
  public Set<String> names() throws InterruptedIOException {
    Set<String> names = new LinkedHashSet<>();
    for (RecordTable table : tables) {
      for (int ordinal = 0; ordinal < table.size(); ordinal++) {
        Interruption.check();
        names.add(table.entry(ordinal).name());
      }
    }
    return names;
  }

  /** Returns all names that the group {@linkplain #has has}. */
  Set<String> known() throws InterruptedIOException {
    Set<String> names = names();
    if (!aliases.isEmpty()) {
      for (String record : List.copyOf(names)) {
        Interruption.check();
        names.addAll(aliases.presentOf(record));
      }
    }
    return names;
  }
}
