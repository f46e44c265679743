package org.kblake.record.channelaccess;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The channels by number. Any thread reads it without waiting. A number is never used again, so a
 * late message cannot reach another channel.
 */
final class ChannelTable {

  private volatile AtomicReferenceArray<@Nullable ClientChannel> channels =
      new AtomicReferenceArray<>(1024);

  private final IntSupplier numbers;

  /** The names of all channels that were added. */
  private final Map<Integer, String> names = new HashMap<>();

  /**
   * Creates a table.
   *
   * @param numbers gives the numbers of new channels, in rising order
   */
  ChannelTable(IntSupplier numbers) {
    this.numbers = numbers;
  }

  /** Returns a new channel. */
  synchronized ClientChannel add(String name) {
    ClientChannel channel = new ClientChannel(numbers.getAsInt(), name);
    AtomicReferenceArray<@Nullable ClientChannel> table = channels;
    if (channel.id() >= table.length()) {
      AtomicReferenceArray<@Nullable ClientChannel> larger =
          new AtomicReferenceArray<>(2 * channel.id());
      for (int i = 0; i < table.length(); i++) {
        larger.set(i, table.get(i));
      }
      channels = larger;
      table = larger;
    }
    table.set(channel.id(), channel);
    names.put(channel.id(), name);
    return channel;
  }

  /**
   * Removes a channel.
   *
   * @return the channel, or null if it was removed before
   * @throws IllegalArgumentException if none was added with this number
   */
  synchronized @Nullable ClientChannel remove(int id) {
    name(id);
    return channels.getAndSet(id, null);
  }

  /**
   * Returns the name of a channel, also of one that was removed.
   *
   * @throws IllegalArgumentException if none was added with this number
   */
  synchronized String name(int id) {
    String name = names.get(id);
    if (name == null) {
      throw new IllegalArgumentException("channel was not opened: channel=" + id);
    }
    return name;
  }

  /** Returns the channel of a number that a server sent, or null. */
  @Nullable ClientChannel get(int id) {
    int index = id < 0 ? ~id : id;
    AtomicReferenceArray<@Nullable ClientChannel> table = channels;
    if (index >= table.length()) {
      return null;
    }
    ClientChannel channel = table.get(index);
    return channel == null || id >= 0 ? channel : channel.description();
  }
}
