package org.kblake.record.channelaccess;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The channels by number. Any thread reads it without waiting. A number is never used again, so a
 * late message cannot reach another channel.
 */
final class ChannelTable {

  private volatile AtomicReferenceArray<@Nullable ClientChannel> channels =
      new AtomicReferenceArray<>(1024);

  /** The names of all channels that were added. */
  private final List<String> names = new ArrayList<>();

  /** Returns a new channel. */
  synchronized ClientChannel add(String name) {
    int size = names.size();
    ClientChannel channel = new ClientChannel(size, name);
    AtomicReferenceArray<@Nullable ClientChannel> table = channels;
    if (size == table.length()) {
      AtomicReferenceArray<@Nullable ClientChannel> larger = new AtomicReferenceArray<>(2 * size);
      for (int i = 0; i < size; i++) {
        larger.set(i, table.get(i));
      }
      channels = larger;
      table = larger;
    }
    table.set(channel.id(), channel);
    names.add(name);
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
    if (id < 0 || id >= names.size()) {
      throw new IllegalArgumentException("channel was not opened: channel=" + id);
    }
    return names.get(id);
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
