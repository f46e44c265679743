package org.kblake.query.internal.trend;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.UnsupportedAggregateException;

/**
 * The types that channels have in the record tables of a period, and the number of bins that fit
 * the memory.
 */
public final class TrendChannels {

  /** The budget of bytes for the bins of a window, of all groups. */
  private static final long BYTES =
      Math.max(1L << 20, Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 6));

  private static final int TEXT_BYTES = 40;

  private final List<Aggregate> aggregates;
  private final List<ChannelInfo> infos = new ArrayList<>();
  private final Map<Group, List<Boolean>> rows = new HashMap<>();
  private long binBytes;

  public TrendChannels(List<Aggregate> aggregates) {
    this.aggregates = aggregates;
  }

  /**
   * Adds a channel.
   *
   * @param tables the record tables of the period, in log order
   * @throws UnsupportedAggregateException if the channel's type does not have an aggregate
   */
  public void add(ChannelTarget target, List<RecordTable> tables)
      throws UnsupportedAggregateException {
    Channel channel = target.channel();
    Set<ValueShape> shapes = new TreeSet<>();
    ChannelResolution.addShapes(tables, List.of(target), shapes);
    ChannelInfo described = ChannelResolution.describe(target, tables);
    ChannelInfo info =
        described == null ? new ChannelInfo(channel, ValueType.DOUBLE, 1) : described;
    boolean isRows = false;
    for (ValueShape shape : shapes) {
      isRows |= shape.waveform() || shape.type() == ValueType.STRING;
      if (shape.waveform() || shape.type() == ValueType.STRING || shape.type() == ValueType.ENUM) {
        check(channel, shape);
      }
    }
    boolean isWidened = !isRows && shapes.size() > 1;
    infos.add(isWidened ? new ChannelInfo(channel, ValueType.DOUBLE, 1) : info);
    rows.computeIfAbsent(channel.group(), any -> new ArrayList<>()).add(isRows);
    long valueBytes = info.type() == ValueType.STRING ? TEXT_BYTES : Long.BYTES;
    binBytes += ChannelTrend.binBytes(aggregates, isRows ? valueBytes * info.elementCount() : 0);
  }

  private void check(Channel channel, ValueShape shape) throws UnsupportedAggregateException {
    List<Aggregate> others = aggregates.stream().filter(each -> !each.isOfAllTypes()).toList();
    if (!others.isEmpty()) {
      throw new UnsupportedAggregateException(channel, shape.text(), others);
    }
  }

  /** Returns the channels with their types, in the order in which they were added. */
  public List<ChannelInfo> infos() {
    return infos;
  }

  /** Returns whether the values of each channel of a group are texts or lists. */
  public boolean[] rows(Group group) {
    List<Boolean> known = rows.getOrDefault(group, List.of());
    boolean[] ofGroup = new boolean[known.size()];
    for (int i = 0; i < ofGroup.length; i++) {
      ofGroup[i] = known.get(i);
    }
    return ofGroup;
  }

  /** Returns the number of bins that are filled at a time, at least 1. */
  public int windowBins() {
    return (int) Math.max(1, BYTES / Math.max(1, binBytes));
  }
}
