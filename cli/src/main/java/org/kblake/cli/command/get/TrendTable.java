package org.kblake.cli.command.get;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.format.table.WideColumn;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.Aggregate;

/**
 * Bins in Arrow vectors: times, and the aggregates of each channel. A long table has a row for each
 * bin and channel, a wide one a row for each bin. The last column marks bins that could not be read
 * as a whole.
 */
final class TrendTable implements AutoCloseable {

  private static final String INCOMPLETE = "incomplete";

  private final List<FieldVector> vectors = new ArrayList<>();
  private final TimeStampNanoTZVector times;
  private final List<VarCharVector> names = new ArrayList<>();
  private final Map<Group, byte[]> groups = new HashMap<>();
  private final UInt1Vector incomplete;
  private final List<Channel> channels;

  /** Whether rows are long: a row for each channel. */
  private final boolean isLong;

  /** The columns of each channel. Those of a long table are shared, unless the types differ. */
  private final List<List<TrendColumn>> columns = new ArrayList<>();

  private final List<TrendColumn> all = new ArrayList<>();

  /** The channel of the next row of a long table. */
  private int nextChannel;

  TrendTable(
      TrendReader trend, List<Aggregate> aggregates, boolean wide, BufferAllocator allocator) {
    isLong = !wide;
    channels = trend.channels();
    ArrowType nanos = new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
    times =
        (TimeStampNanoTZVector)
            new Field("time", FieldType.notNullable(nanos), null).createVector(allocator);
    vectors.add(times);
    if (wide) {
      addWide(trend.infos(), aggregates, allocator);
    } else {
      addName("channel", allocator);
      if (LinesAnswer.severalGroups(channels)) {
        addName("group", allocator);
      }
      addLong(trend.infos(), aggregates, allocator);
    }
    for (TrendColumn column : all) {
      vectors.add(column.vector());
    }
    FieldType flag = FieldType.notNullable(new ArrowType.Int(Byte.SIZE, false));
    incomplete = (UInt1Vector) new Field(INCOMPLETE, flag, null).createVector(allocator);
    vectors.add(incomplete);
    nextChannel = channels.size();
  }

  private void addName(String name, BufferAllocator allocator) {
    FieldType text = FieldType.notNullable(ArrowType.Utf8.INSTANCE);
    VarCharVector vector = (VarCharVector) new Field(name, text, null).createVector(allocator);
    names.add(vector);
    vectors.add(vector);
  }

  private void addWide(
      List<ChannelInfo> infos, List<Aggregate> aggregates, BufferAllocator allocator) {
    Set<String> once = new HashSet<>();
    Set<String> repeated = new HashSet<>();
    for (ChannelInfo info : infos) {
      if (!once.add(info.channel().name())) {
        repeated.add(info.channel().name());
      }
    }
    for (ChannelInfo info : infos) {
      Channel channel = info.channel();
      String name = repeated.contains(channel.name()) ? channel.toString() : channel.name();
      List<TrendColumn> ofChannel = new ArrayList<>();
      for (Aggregate aggregate : aggregates) {
        ofChannel.add(TrendColumn.of(name + ":" + aggregate, aggregate, info, allocator));
      }
      columns.add(ofChannel);
      all.addAll(ofChannel);
    }
  }

  /** Adds the columns of a long table. Numbers, texts and lists have their own. */
  private void addLong(
      List<ChannelInfo> infos, List<Aggregate> aggregates, BufferAllocator allocator) {
    Map<String, ChannelInfo> kinds = new LinkedHashMap<>();
    for (ChannelInfo info : infos) {
      kinds.merge(kind(info), info, TrendTable::common);
    }
    Map<String, TrendColumn> byName = new LinkedHashMap<>();
    for (Aggregate aggregate : aggregates) {
      kinds.forEach(
          (kind, type) -> {
            String name = name(aggregate, kind, kinds.size());
            byName.computeIfAbsent(name, any -> TrendColumn.of(name, aggregate, type, allocator));
          });
    }
    all.addAll(byName.values());
    Map<String, List<TrendColumn>> byKind = new HashMap<>();
    for (String kind : kinds.keySet()) {
      List<TrendColumn> ofKind = new ArrayList<>();
      for (Aggregate aggregate : aggregates) {
        ofKind.add(Objects.requireNonNull(byName.get(name(aggregate, kind, kinds.size()))));
      }
      byKind.put(kind, ofKind);
    }
    for (ChannelInfo info : infos) {
      columns.add(byKind.getOrDefault(kind(info), List.of()));
    }
  }

  /** Returns the name of a column, as for the values of events. */
  private static String name(Aggregate aggregate, String kind, int kinds) {
    return aggregate.isValue() && kinds > 1 ? aggregate + kind : aggregate.toString();
  }

  private static String kind(ChannelInfo info) {
    String text = info.type() == ValueType.STRING ? "_text" : "";
    return info.waveform() ? text + "_list" : text;
  }

  /** Returns the type that represents the numbers of two channels. */
  private static ChannelInfo common(ChannelInfo a, ChannelInfo b) {
    return a.type() == b.type()
        ? a
        : new ChannelInfo(a.channel(), ValueType.DOUBLE, a.elementCount());
  }

  /** Returns the vector of times, then the others. */
  List<FieldVector> vectors() {
    return vectors;
  }

  /**
   * Replaces the rows by those of the next bins.
   *
   * @param most the maximum number of rows
   * @return false if there are no more bins
   */
  boolean fill(TrendReader trend, int most) throws IOException {
    WideColumn.clear(vectors, most);
    int row = 0;
    while (row < most && (isLong && nextChannel < channels.size() || next(trend))) {
      times.setSafe(row, trend.timeNanos());
      if (isLong) {
        setLong(row, trend, nextChannel++);
      } else {
        setWide(row, trend);
      }
      row++;
    }
    for (FieldVector vector : vectors) {
      vector.setValueCount(row);
    }
    return row > 0;
  }

  private boolean next(TrendReader trend) throws IOException {
    boolean isBin = trend.next();
    nextChannel = isBin ? 0 : channels.size();
    return isBin;
  }

  private void setLong(int row, TrendReader trend, int channel) {
    Channel named = channels.get(channel);
    names.get(0).setSafe(row, named.name().getBytes(StandardCharsets.UTF_8));
    if (names.size() > 1) {
      names.get(1).setSafe(row, groups.computeIfAbsent(named.group(), TrendTable::bytes));
    }
    List<TrendColumn> own = columns.get(channel);
    for (TrendColumn column : all) {
      if (own.size() == all.size() || own.contains(column)) {
        column.set(row, trend, channel);
      } else {
        column.setNull(row);
      }
    }
    incomplete.setSafe(row, trend.isComplete(channel) ? 0 : 1);
  }

  private static byte[] bytes(Group group) {
    return group.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void setWide(int row, TrendReader trend) {
    boolean isComplete = true;
    for (int channel = 0; channel < columns.size(); channel++) {
      for (TrendColumn column : columns.get(channel)) {
        column.set(row, trend, channel);
      }
      isComplete &= trend.isComplete(channel);
    }
    incomplete.setSafe(row, isComplete ? 0 : 1);
  }

  @Override
  public void close() {
    vectors.forEach(FieldVector::close);
  }
}
