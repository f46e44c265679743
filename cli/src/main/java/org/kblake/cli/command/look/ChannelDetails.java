package org.kblake.cli.command.look;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.query.ArchiveReader;

/**
 * Recorded channels, with all that is known of them.
 *
 * @param channels the channels
 * @param metadata what the metadata files say of each
 * @param last the times of the last values
 */
record ChannelDetails(
    List<RecordedChannel> channels, List<ChannelMetadata> metadata, Map<Channel, Long> last) {

  static ChannelDetails read(
      List<RecordedChannel> channels, ArchiveReader reader, LastValues lastValues)
      throws IOException {
    return new ChannelDetails(
        channels,
        channels.stream()
            .map(each -> reader.metadata(new Channel(each.group(), each.name())))
            .toList(),
        lastValues.of(channels));
  }

  /** Returns the time of a channel's last value; null if it has none. */
  @Nullable Long lastNanos(int channel) {
    return last.get(metadata.get(channel).channel());
  }
}
