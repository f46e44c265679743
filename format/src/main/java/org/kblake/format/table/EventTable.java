package org.kblake.format.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.GridReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageSpan;

/**
 * Values of many channels around instants in Arrow vectors: a row for each instant, and columns for
 * each channel at each offset from the instant.
 *
 * <pre>
 *   time | event | complete | A@-1s | A@1s | B@-1s | B@1s ..
 * </pre>
 *
 * <p>A row is complete (1) if no value of it can be outdated or missing because a log could not be
 * read; else 0.
 */
public final class EventTable implements AutoCloseable {

  private static final int FIRST_VALUE = 3;

  private final List<Channel> channels = new ArrayList<>();
  private final List<Group> groups;

  /** The index of each channel's group. */
  private final int[] groupOf;

  private final long[] offsets;
  private final long lookBackNanos;
  private final List<FieldVector> vectors = new ArrayList<>();

  /** The columns of a channel at an offset: by channel, then by offset. */
  private final WideColumn[][] columns;

  /**
   * Creates an empty table. The caller closes it.
   *
   * @param infos the channels
   * @param offsets the offsets from an instant in nanoseconds, ascending, with the texts of their
   *     columns' names; a single offset without a text has the channel's name alone
   * @param lookBackNanos the greatest age of a value
   */
  public EventTable(
      List<ChannelInfo> infos,
      Map<Long, String> offsets,
      long lookBackNanos,
      BufferAllocator allocator) {
    this.offsets = offsets.keySet().stream().mapToLong(each -> each).toArray();
    this.lookBackNanos = lookBackNanos;
    ArrowType nanos = new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
    vectors.add(new Field("time", FieldType.notNullable(nanos), null).createVector(allocator));
    ArrowType integer = new ArrowType.Int(Integer.SIZE, true);
    for (String name : List.of("event", "complete")) {
      vectors.add(new Field(name, FieldType.notNullable(integer), null).createVector(allocator));
    }
    Set<String> repeated = repeated(infos);
    columns = new WideColumn[infos.size()][this.offsets.length];
    for (ChannelInfo info : infos) {
      Channel channel = info.channel();
      int number = channels.size();
      channels.add(channel);
      String name = repeated.contains(channel.name()) ? channel.toString() : channel.name();
      int offset = 0;
      for (String text : offsets.values()) {
        String column = text.isEmpty() ? name : name + "@" + text;
        FieldVector vector = WideColumn.field(column, info).createVector(allocator);
        columns[number][offset++] = WideColumn.of(vector, number);
        vectors.add(vector);
      }
    }
    groups = channels.stream().map(Channel::group).distinct().toList();
    groupOf = channels.stream().mapToInt(channel -> groups.indexOf(channel.group())).toArray();
  }

  private static Set<String> repeated(List<ChannelInfo> infos) {
    Set<String> names = new HashSet<>();
    Set<String> repeated = new HashSet<>();
    for (ChannelInfo info : infos) {
      if (!names.add(info.channel().name())) {
        repeated.add(info.channel().name());
      }
    }
    return repeated;
  }

  /** Returns the vectors: time, event, complete, then the values. */
  public List<FieldVector> vectors() {
    return vectors;
  }

  /** Returns the number of cells of a row that have values. */
  public int cells() {
    return vectors.size() - FIRST_VALUE;
  }

  /**
   * Returns the instants at which values are read.
   *
   * @param events instants, ascending and different
   * @return ascending and different
   */
  public List<Long> points(List<Long> events) {
    TreeSet<Long> points = new TreeSet<>();
    for (long event : events) {
      for (long offset : offsets) {
        points.add(event + offset);
      }
    }
    return List.copyOf(points);
  }

  /**
   * Replaces the rows by those of some events.
   *
   * @param grid a reader of {@link #points} of these events, of the table's channels or some of
   *     them; it is read to its end
   * @param events instants, ascending and different
   * @param first the number of the first event
   * @return the number of rows that are not complete
   */
  public int fill(GridReader grid, List<Long> events, int first) throws IOException {
    WideColumn.clear(vectors, events.size());
    int[] indexes = indexes(grid.channels());
    // The earliest time of a value of each group in each row.
    long[][] oldest = new long[groups.size()][events.size()];
    for (long[] each : oldest) {
      Arrays.fill(each, Long.MAX_VALUE);
    }
    int[] next = new int[offsets.length];
    while (grid.next()) {
      long nanos = grid.timeNanos();
      for (int offset = 0; offset < offsets.length; offset++) {
        int row = next[offset];
        if (row < events.size() && events.get(row) + offsets[offset] == nanos) {
          next[offset]++;
          set(row, offset, grid, indexes, oldest);
        }
      }
    }
    TimeStampNanoTZVector times = (TimeStampNanoTZVector) vectors.get(0);
    IntVector numbers = (IntVector) vectors.get(1);
    IntVector complete = (IntVector) vectors.get(2);
    int incomplete = 0;
    List<CoverageSpan> missing = grid.coverage().missing();
    for (int row = 0; row < events.size(); row++) {
      boolean isComplete = isComplete(row, events.get(row), oldest, missing);
      incomplete += isComplete ? 0 : 1;
      times.setSafe(row, events.get(row));
      numbers.setSafe(row, first + row);
      complete.setSafe(row, isComplete ? 1 : 0);
    }
    vectors.forEach(vector -> vector.setValueCount(events.size()));
    return incomplete;
  }

  /** Returns the index of each channel in a grid; -1 if the grid does not have it. */
  private int[] indexes(List<Channel> ofGrid) {
    Map<Channel, Integer> found = new HashMap<>();
    for (int i = 0; i < ofGrid.size(); i++) {
      found.put(ofGrid.get(i), i);
    }
    return channels.stream().mapToInt(channel -> found.getOrDefault(channel, -1)).toArray();
  }

  private void set(int row, int offset, GridReader grid, int[] indexes, long[][] oldest) {
    for (int i = 0; i < indexes.length; i++) {
      int index = indexes[i];
      long since = grid.timeNanos() - lookBackNanos;
      if (index >= 0 && grid.isKnown(index)) {
        EventColumns events = grid.columns(index);
        since = grid.sinceNanos(index);
        columns[i][offset].set(row, events, grid.row(index));
      } else {
        since = index >= 0 && grid.isGap(index) ? grid.sinceNanos(index) : since;
        columns[i][offset].setNull(row);
      }
      long[] ofGroup = oldest[groupOf[i]];
      ofGroup[row] = Math.min(ofGroup[row], since);
    }
  }

  private boolean isComplete(int row, long event, long[][] oldest, List<CoverageSpan> missing) {
    for (CoverageSpan span : missing) {
      int group = groups.indexOf(span.group());
      if (group < 0
          || span.range().meets(oldest[group][row], event + offsets[offsets.length - 1])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    vectors.forEach(FieldVector::close);
  }
}
