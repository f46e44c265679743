package org.kblake.record.group;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.record.log.GroupLog;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.EventKind;

/**
 * The channels of a group, and the records that its next pair must have. Decides which events the
 * present pair can take.
 */
final class PendingRecords {

  /** The most bytes of a milestone. */
  static final long MILESTONE_BYTES = 64L << 20;

  private final Map<String, RecordedType> assumed;
  private final MilestoneMemory memory;
  private final Consumer<String> notices;
  private final Map<String, GroupChannel> byName = new LinkedHashMap<>();
  private final Map<Integer, GroupChannel> byNumber = new HashMap<>();

  /** The bytes of all values in a milestone of the next pair. */
  private long valueBytes;

  /** What the group has of {@link #memory}: for this milestone and that of the present pair. */
  private long takenBytes;

  private String refusal = "";

  /** How many channels were connected at least once. */
  private int known;

  private boolean isChanged;

  /**
   * @param assumed types of records until they connect
   * @param notices takes lines for the operator
   */
  PendingRecords(
      Map<String, RecordedType> assumed, MilestoneMemory memory, Consumer<String> notices) {
    this.assumed = Map.copyOf(assumed);
    this.memory = memory;
    this.notices = notices;
  }

  /**
   * Opens the channels of a list, and closes those that it does not have.
   *
   * @return the channels that were opened
   * @throws OversizedListException if a milestone would be too large; then nothing has changed
   */
  List<GroupChannel> replace(List<String> names, ChannelSource source)
      throws OversizedListException {
    long bytes = 0;
    List<RecordEntry> entries = new ArrayList<>();
    for (String name : names) {
      GroupChannel present = byName.get(name);
      RecordedType type =
          present == null ? assumed.getOrDefault(name, RecordedType.UNKNOWN) : present.next();
      entries.add(new RecordEntry(entries.size(), name, type.type(), type.count()));
      bytes += type.bytes();
    }
    requireMilestone(new RecordTable(entries));
    valueBytes = bytes;
    Map<String, GroupChannel> before = new LinkedHashMap<>(byName);
    byName.clear();
    List<GroupChannel> opened = new ArrayList<>();
    for (String name : names) {
      try {
        GroupChannel channel = before.remove(name);
        if (channel == null) {
          channel = open(name, source);
          opened.add(channel);
        }
        byName.put(name, channel);
      } catch (IllegalArgumentException e) {
        String line = "name is left out: name=" + name + ", " + e.getMessage();
        notices.accept(RecordList.shorten(line, name));
      }
    }
    for (GroupChannel channel : before.values()) {
      source.close(channel.number);
      channel.isRemoved = true;
    }
    known = (int) byName.values().stream().filter(channel -> channel.wasConnected).count();
    isChanged = true;
    return opened;
  }

  private GroupChannel open(String name, ChannelSource source) {
    RecordedType type = assumed.getOrDefault(name, RecordedType.UNKNOWN);
    GroupChannel channel = new GroupChannel(name, source.open(name), type);
    byNumber.put(channel.number, channel);
    return channel;
  }

  private void requireMilestone(RecordTable records) throws OversizedListException {
    long bytes = GroupLog.milestoneBytes(records);
    if (bytes > MILESTONE_BYTES) {
      throw new OversizedListException(bytes, records.size());
    }
    if (!take(bytes)) {
      throw new OversizedListException(bytes, memory.mostBytes());
    }
  }

  private boolean take(long milestoneBytes) {
    long bytes = Math.max(takenBytes, milestoneBytes);
    boolean hasRoom = memory.replace(takenBytes, bytes);
    takenBytes = hasRoom ? bytes : takenBytes;
    return hasRoom;
  }

  /** Gives back what the group has of the memory of all milestones, once it is recorded no more. */
  void giveBack() {
    memory.replace(takenBytes, 0);
    takenBytes = 0;
  }

  /** Returns whether all channels were connected at least once. */
  boolean areAllKnown() {
    return known == byName.size();
  }

  /** Returns whether the next pair has other records than the present one. */
  boolean isChanged() {
    return isChanged;
  }

  /** Returns the number of channels that are connected now, and not refused. */
  int connected() {
    return (int) byName.values().stream().filter(GroupChannel::isConnectedInLog).count();
  }

  /** Returns the names of channels that were never connected. */
  List<String> neverConnected() {
    return byName.values().stream()
        .filter(channel -> !channel.wasConnected)
        .map(channel -> channel.name)
        .toList();
  }

  /** Returns a channel by the number of the source, or null if no pair will have it any more. */
  @Nullable GroupChannel channel(int number) {
    return byNumber.get(number);
  }

  Stream<GroupChannel> channels() {
    return byName.values().stream();
  }

  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /**
   * Returns whether the present pair can take an event. If not, the channel's events wait for the
   * next pair. If they do not, no pair can take the event.
   */
  boolean accepts(GroupChannel channel, ChannelEvent event) {
    RecordedType needed = needed(channel, event);
    if (needed != null && !channel.wasConnected) {
      channel.wasConnected = true;
      known += channel.isRemoved ? 0 : 1;
    }
    if (channel.waits) {
      RecordedType wanted = channel.wanted;
      boolean isLarger = needed != null && wanted != null && needed.isLargerThan(wanted);
      if (needed != null && (wanted == null || isLarger) && hasRoom(channel, needed)) {
        int least = channel.leastCount;
        want(channel, needed, event);
        channel.leastCount = isLarger ? least : channel.leastCount;
      }
      return false;
    }
    channel.isTooLarge &= event.kind() != EventKind.CONNECTED;
    if (channel.isTooLarge && event.kind() == EventKind.VALUE) {
      return false; // also one that would fit: its channel has no connection in the log
    }
    boolean isInPair = channel.ordinal >= 0;
    if (isInPair && (needed == null || needed.equals(channel.type))) {
      return true;
    }
    if (needed != null && !hasRoom(channel, needed)) {
      channel.isTooLarge |= event.kind() == EventKind.CONNECTED;
      return false;
    }
    channel.waits = true;
    isChanged = true;
    if (needed != null) {
      want(channel, needed, event);
    }
    return false;
  }

  /**
   * Returns whether a pair can take an event of a group that stands by. The next pair gets the
   * newest type: it may begin after weeks.
   */
  boolean acceptsLater(GroupChannel channel, ChannelEvent event) {
    boolean isAccepted = accepts(channel, event) || channel.waits;
    RecordedType needed = channel.waits ? needed(channel, event) : null;
    RecordedType next = channel.next();
    boolean isNewer = event.kind() == EventKind.CONNECTED || !next.canHave(event);
    if (needed != null && isNewer && !needed.equals(next) && hasRoom(channel, needed)) {
      want(channel, needed, event);
    }
    return isAccepted;
  }

  /** Returns the type that the pair must have for an event, or null if any will do. */
  private static @Nullable RecordedType needed(GroupChannel channel, ChannelEvent event) {
    if (event.kind() == EventKind.DISCONNECTED) {
      return null;
    }
    RecordedType type = channel.type;
    boolean fits = event.type() == type.type() && event.count() <= type.count();
    boolean isValue = event.kind() == EventKind.VALUE;
    return fits && (isValue || event.count() >= channel.leastCount)
        ? type
        : new RecordedType(event.type(), Math.max(1, event.count()));
  }

  private boolean hasRoom(GroupChannel channel, RecordedType type) {
    long bytes = valueBytes + type.bytes() - channel.next().bytes() + fixedBytes();
    boolean isSmall = bytes <= MILESTONE_BYTES;
    boolean hasRoom = isSmall && (channel.isRemoved || take(bytes));
    if (!hasRoom) {
      refusal =
          isSmall
              ? "milestones of all groups would have more than an eighth of the heap with the channel,"
                  + " its values are refused; set KBLAKE_JAVA_OPTS=-Xmx higher"
              : "milestones would have more than 64 MiB with the channel, its values are refused; divide"
                  + " the group";
    }
    return hasRoom;
  }

  /** Returns why the last event was refused that no pair can take. */
  String refusal() {
    return refusal;
  }

  private void want(GroupChannel channel, RecordedType type, ChannelEvent event) {
    if (channel.isRemoved) {
      return; // the next pair does not have it
    }
    boolean isLarger = event.kind() == EventKind.VALUE && type.type() == channel.type.type();
    channel.leastCount = isLarger ? channel.leastCount : type.count();
    valueBytes += type.bytes() - channel.next().bytes();
    channel.wanted = type;
  }

  private long fixedBytes() {
    return GroupLog.milestoneBytes(new RecordTable(List.of())) + byName.size() * entryBytes();
  }

  private static long entryBytes() {
    RecordEntry entry =
        new RecordEntry(0, "", RecordedType.UNKNOWN.type(), RecordedType.UNKNOWN.count());
    return GroupLog.milestoneBytes(new RecordTable(List.of(entry)))
        - GroupLog.milestoneBytes(new RecordTable(List.of()))
        - RecordedType.UNKNOWN.bytes();
  }

  /** Returns the records of the next pair. */
  RecordTable table() {
    List<RecordEntry> entries = new ArrayList<>();
    for (GroupChannel channel : byName.values()) {
      RecordedType type = channel.next();
      entries.add(new RecordEntry(entries.size(), channel.name, type.type(), type.count()));
    }
    return new RecordTable(entries);
  }

  /** Notes that the records of {@link #table} are those of the present pair. No event waits. */
  void begun() {
    for (GroupChannel channel : List.copyOf(byNumber.values())) {
      if (channel.isRemoved) {
        channel.ordinal = GroupChannel.NOT_IN_PAIR;
        byNumber.remove(channel.number);
      }
    }
    int ordinal = 0;
    for (GroupChannel channel : byName.values()) {
      channel.ordinal = ordinal++;
      channel.type = channel.next();
      channel.wanted = null;
      channel.waits = false;
    }
    isChanged = false;
    long bytes = valueBytes + fixedBytes();
    memory.replace(takenBytes, bytes);
    takenBytes = bytes;
  }
}
