package org.kblake.core.metadata;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;

/**
 * The contents of a group's file.
 *
 * @param group the group
 * @param channels the described channels, by name, in the order of the file
 * @param aliases the former names of the channels
 * @param problems a line with file and line for each wrong part of the file, which is left out
 * @param unread why nothing of the file could be used; null if it was read or does not exist
 */
public record GroupMetadata(
    Group group,
    Map<String, ChannelMetadata> channels,
    Aliases aliases,
    List<String> problems,
    @Nullable String unread) {

  /** Returns the metadata of a group that no file describes. */
  public static GroupMetadata none(Group group) {
    return new GroupMetadata(group, Map.of(), Aliases.NONE, List.of(), null);
  }

  /** Returns the metadata of a group whose file cannot be used. */
  static GroupMetadata unread(Group group, String problem) {
    return new GroupMetadata(group, Map.of(), Aliases.NONE, List.of(problem), problem);
  }

  /** Returns the same, and what another file says where this one says nothing. */
  public GroupMetadata orElse(GroupMetadata other) {
    if (other.channels.isEmpty()) {
      return this;
    }
    Map<String, ChannelMetadata> all = new LinkedHashMap<>(channels);
    other.channels.forEach((name, each) -> all.merge(name, each, ChannelMetadata::orElse));
    return new GroupMetadata(group, all, aliases, problems, unread);
  }

  /** Returns what is known of the channels that have former names, in the order of the file. */
  public List<ChannelMetadata> renamed() {
    return aliases.isEmpty()
        ? List.of()
        : channels.values().stream().filter(each -> !each.formerNames().isEmpty()).toList();
  }

  /** Returns what is known of a channel. */
  public ChannelMetadata of(String name) {
    ChannelMetadata known = channels.get(name);
    List<String> present = aliases.presentOf(name);
    ChannelMetadata found =
        known == null ? ChannelMetadata.unknown(new Channel(group, name)) : known;
    return present.isEmpty() ? found : found.withPresentNames(present);
  }
}
