package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.List;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.question.EventFilter;

/** The rows of a source that a filter selects. They are not copied: they stay in its columns. */
final class FilteredRows extends EventRows {

  private final EventRows source;
  private final List<String> names;
  private final EventFilter filter;
  private int next;
  private int end;

  /**
   * @param source the events; closed with this source
   * @param names the names of the channels of the answer
   */
  FilteredRows(EventRows source, List<String> names, EventFilter filter) {
    this.source = source;
    this.names = names;
    this.filter = filter;
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      if (next == end) {
        if (!source.next()) {
          return false;
        }
        next = source.from();
        end = source.to();
      }
      String name = names.get(source.channel());
      int from = filter.nextMatch(name, source.columns(), next, end);
      next = filter.endOfMatches(name, source.columns(), from, end);
      if (moveTo(source.columns(), from, next, source.channel(), source.group())) {
        return true;
      }
    }
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
