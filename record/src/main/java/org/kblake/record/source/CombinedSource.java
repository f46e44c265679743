package org.kblake.record.source;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Sources that put their events into one {@link EventQueue}, as one source: a channel is opened by
 * the source that its name asks for. So the events of all have one ring and one order of reception.
 * The sources are closed with it.
 */
public final class CombinedSource implements ChannelSource {

  private final ChannelSource main;
  private final Map<String, ChannelSource> byPrefix;
  private final Map<Integer, ChannelSource> owners = new ConcurrentHashMap<>();

  /**
   * Combines sources that have the same queue.
   *
   * @param main the source of all other names; the queue is read through it
   * @param byPrefix the sources of names that begin with a prefix
   */
  public CombinedSource(ChannelSource main, Map<String, ChannelSource> byPrefix) {
    this.main = main;
    this.byPrefix = new TreeMap<>(byPrefix);
  }

  private Stream<ChannelSource> all() {
    return Stream.concat(byPrefix.values().stream(), Stream.of(main));
  }

  @Override
  public int open(String name) {
    ChannelSource owner =
        byPrefix.entrySet().stream()
            .filter(each -> name.startsWith(each.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(main);
    int channel = owner.open(name);
    owners.put(channel, owner);
    return channel;
  }

  private ChannelSource owner(int channel) {
    return owners.getOrDefault(channel, main);
  }

  @Override
  public void close(int channel) {
    owner(channel).close(channel);
  }

  @Override
  public String name(int channel) {
    return owner(channel).name(channel);
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    return main.poll(handler, limit);
  }

  @Override
  public void await(long nanos) {
    main.await(nanos);
  }

  /** Returns the sums of all sources. They share the ring. */
  @Override
  public SourceCounts counts() {
    SourceCounts sum = main.counts();
    for (ChannelSource each : byPrefix.values()) {
      sum = sum.and(each.counts());
    }
    return sum;
  }

  @Override
  public ConversionCounts conversions() {
    return all()
        .map(ChannelSource::conversions)
        .reduce(ConversionCounts.NONE, ConversionCounts::and);
  }

  @Override
  public List<CircuitCounts> circuits() {
    return all().flatMap(each -> each.circuits().stream()).toList();
  }

  /** Closes all sources, also if one of them cannot be closed. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (ChannelSource each : all().toList()) {
      try {
        each.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
