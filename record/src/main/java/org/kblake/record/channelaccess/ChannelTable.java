package org.kblake.record.channelaccess;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The channels by number. Any thread reads it without waiting. A number is never used again, so a
 * late message cannot reach another channel.
 */
final class ChannelTable {

  private volatile AtomicReferenceArray<@Nullable Channel> channels =
      new AtomicReferenceArray<>(1024);

  private volatile int size;

  /** Returns a new channel. */
  synchronized Channel add(String name) {
    Channel channel = new Channel(size, name);
    AtomicReferenceArray<@Nullable Channel> table = channels;
    if (size == table.length()) {
      AtomicReferenceArray<@Nullable Channel> larger = new AtomicReferenceArray<>(2 * size);
      for (int i = 0; i < size; i++) {
        larger.set(i, table.get(i));
      }
      channels = larger;
      table = larger;
    }
    table.set(channel.id(), channel);
    size++;
    return channel;
  }

  synchronized void remove(int id) {
    channels.set(id, null);
  }

  /** Returns the number of channels that were added. */
  int size() {
    return size;
  }

  /** Returns the channel of a number that a server sent, or null. */
  @Nullable Channel get(int id) {
    int index = id < 0 ? ~id : id;
    AtomicReferenceArray<@Nullable Channel> table = channels;
    if (index >= table.length()) {
      return null;
    }
    Channel channel = table.get(index);
    return channel == null || id >= 0 ? channel : channel.description();
  }
}
