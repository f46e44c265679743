package org.kblake.record.importing.jdbc;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.record.importing.ImportReport.Kind;
import org.kblake.record.importing.ImportSource;
import org.kblake.record.importing.LeftOut;
import org.kblake.record.importing.SourceChannel;
import org.kblake.record.importing.SourceEvent;
import org.kblake.record.importing.jdbc.ChannelValues.Converted;
import org.kblake.record.source.TimedLayout;

/**
 * The events of a database, which sorts them. Rows are read twice: first in any order, for the
 * types of the channels.
 */
public final class DatabaseSource implements ImportSource {

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long FIRST_NANOS = TimedLayout.EPOCH_SECONDS * SECOND_NANOS;
  private static final long END_NANOS = FIRST_NANOS + (1L << 32) * SECOND_NANOS;

  private final Statement statement;
  private final ResultSet rows;
  private final ArchiveRows reader;
  private final List<SourceChannel> channels = new ArrayList<>();
  private final List<ChannelValues> values = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final LeftOut left;
  private long orderNanos = Long.MIN_VALUE;
  private long work;

  private DatabaseSource(
      Statement statement,
      ResultSet rows,
      ArchiveRows reader,
      List<ChannelValues> chosen,
      LeftOut left) {
    this.statement = statement;
    this.rows = rows;
    this.reader = reader;
    this.left = left;
    for (ChannelValues each : chosen) {
      SourceChannel channel = each.asSource();
      numbers.put(channel.name(), channels.size());
      channels.add(channel);
      values.add(each);
    }
  }

  /**
   * Reads all rows in any order.
   *
   * @param order gets the columns by which the rows are sorted
   * @return all channels by name, with what they have in a range
   */
  public static Map<String, ChannelValues> survey(
      Database database, ArchiveQuery query, ZoneId zone, TimeRange range, List<Integer> order)
      throws IOException {
    Map<String, ChannelValues> channels = new TreeMap<>();
    database.query(
        query.sql(),
        rows -> {
          ArchiveRows reader = new ArchiveRows(rows, query, zone);
          order.addAll(reader.order());
          while (rows.next()) {
            requireGoingOn();
            try {
              ArchiveRow row = reader.row();
              ChannelValues values =
                  channels.computeIfAbsent(
                      row.channel(), name -> new ChannelValues(name, query.enums().contains(name)));
              if (range.contains(row.nanos())) {
                values.note(row);
              }
            } catch (DamagedRowException e) {
              // It is reported when the row is imported.
            }
          }
        });
    return channels;
  }

  /**
   * Asks for the rows in the order of time.
   *
   * @param chosen the channels of a survey
   * @param order the columns of the survey
   * @param left gets what is left out
   */
  public static DatabaseSource open(
      Database database,
      ArchiveQuery query,
      ZoneId zone,
      List<ChannelValues> chosen,
      List<Integer> order,
      LeftOut left)
      throws IOException {
    try {
      Statement statement = database.statement();
      try {
        ResultSet rows = database.rows(statement, query.ordered(order));
        ArchiveRows reader = new ArchiveRows(rows, query, zone);
        return new DatabaseSource(statement, rows, reader, chosen, left);
      } catch (Throwable e) {
        try (statement) {
          throw e;
        }
      }
    } catch (SQLException e) {
      throw Database.refused(e);
    }
  }

  private static void requireGoingOn() throws InterruptedIOException {
    if (Thread.interrupted()) {
      throw new InterruptedIOException();
    }
  }

  @Override
  public List<SourceChannel> channels() {
    return channels;
  }

  @Override
  public long work() {
    return work;
  }

  @Override
  public @Nullable SourceEvent next() throws IOException {
    try {
      while (rows.next()) {
        requireGoingOn();
        work++;
        SourceEvent event = event();
        if (event != null) {
          return event;
        }
      }
      left.end();
      return null;
    } catch (SQLException e) {
      throw Database.refused(e);
    }
  }

  /** Returns the event of the present row, or null if it is not imported. */
  private @Nullable SourceEvent event() throws SQLException {
    try {
      ArchiveRow row = reader.row();
      Integer channel = numbers.get(row.channel());
      if (channel == null) {
        return null;
      }
      if (row.nanos() <= FIRST_NANOS || row.nanos() >= END_NANOS) {
        throw new DamagedRowException("time is not from 1990 to 2126: channel=" + row.channel());
      }
      orderNanos = Math.max(orderNanos, row.nanos());
      left.pass(orderNanos);
      SourceEvent event = event(channel, row);
      if (event != null) {
        return event.at(orderNanos);
      }
      left.count(Kind.REFUSED, orderNanos, "no log can hold the value: channel=" + row.channel());
    } catch (DamagedRowException e) {
      left.note(Kind.DAMAGED, String.valueOf(e.getMessage()));
    }
    return null;
  }

  private @Nullable SourceEvent event(int channel, ArchiveRow row) {
    Object value = row.value();
    if (value == null || row.isDown()) {
      return SourceEvent.connection(channel, row.nanos(), false, channels.get(channel).type());
    }
    Converted converted = values.get(channel).convert(value, left.conversions());
    if (converted == null) {
      return null;
    }
    boolean isEmpty = converted.bytes().length == 0;
    if (isEmpty) {
      left.count(Kind.EMPTY, orderNanos);
    }
    return new SourceEvent(
        channel,
        row.nanos(),
        row.nanos(),
        isEmpty ? EventState.CONNECTED : EventState.VALUE,
        row.severity(),
        row.status(),
        converted.type(),
        converted.bytes());
  }

  @Override
  public void close() throws IOException {
    try (statement) {
      rows.close();
    } catch (SQLException e) {
      throw Database.refused(e);
    }
  }
}
