package org.kblake.server.internal.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.question.EventQuery;

/** All events of one channel in a range, if they are few. */
final class EventLists {

  private final List<EventColumns> batches = new ArrayList<>();
  private List<CoverageSpan> missing = List.of();

  private EventLists() {}

  /**
   * Reads events.
   *
   * @return null if there are more than {@code most}, or more elements than the budget has
   */
  static @Nullable EventLists read(
      ArchiveReader reader, EventQuery query, int most, ElementBudget budget) throws IOException {
    EventLists lists = new EventLists();
    int rows = 0;
    try (EventCursor cursor = reader.cursor(query)) {
      while (cursor.next()) {
        rows += cursor.to() - cursor.from();
        EventColumns columns = cursor.columns();
        if (rows > most || !budget.take(columns, cursor.from(), cursor.to())) {
          return null;
        }
        EventColumns copy =
            new EventColumns(columns.type(), columns.waveform(), cursor.to() - cursor.from());
        copy.append(columns, cursor.from(), cursor.to());
        lists.batches.add(copy);
      }
      lists.missing = cursor.coverage().missing();
    }
    return lists;
  }

  /** Returns the spans of which events may be missing. */
  List<CoverageSpan> missing() {
    return missing;
  }

  /** Writes the lists as an object. */
  void write(JsonAnswer json) throws IOException {
    json.name("time").array(out -> each((columns, row) -> out.time(columns.timeNanos[row])));
    json.name("value").array(out -> each((columns, row) -> out.value(columns, row)));
    json.name("severity").array(out -> each((columns, row) -> out.integer(columns.severity[row])));
    json.name("state").array(out -> each((columns, row) -> out.text(state(columns.state[row]))));
  }

  /** Returns the name of a state. */
  static String state(int code) {
    return EventState.of(code).name().toLowerCase(Locale.ROOT);
  }

  /** Uses a row. */
  @FunctionalInterface
  private interface RowUse {
    void use(EventColumns columns, int row) throws IOException;
  }

  private void each(RowUse use) throws IOException {
    for (EventColumns columns : batches) {
      for (int row = 0; row < columns.count; row++) {
        use.use(columns, row);
      }
    }
  }
}
