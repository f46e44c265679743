package org.kblake.record.channelaccess;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.message.ChannelNumbers;
import org.kblake.record.source.ChannelState;

/**
 * A channel of this client. The sender searches it, gives it a circuit and asks for its creation;
 * from the server's answer until the end of the circuit the receiver owns its state.
 */
final class ClientChannel {

  /** What the sender does for a channel. */
  enum Stage {
    SEARCHED,
    ON_CIRCUIT,
    CLOSED
  }

  /** What the receiver knows of a channel. */
  enum State {
    /** The server has not created it, or removed it. */
    ABSENT,
    CONNECTED,
    /** Connected on a circuit whose server does not answer. */
    SILENT,
    /** Subscribed, and without a value: no access, or the last value could not be taken. */
    UNREADABLE,
    /** Created, but not subscribed: its values cannot be recorded. */
    REFUSED
  }

  private final int id;
  private final String name;

  /** Written by the sender before it asks for the creation. */
  private volatile @Nullable Circuit circuit;

  /** Whether the field DESC is asked for. Such a channel has the number {@code ~id}. */
  private volatile @Nullable ClientChannel description;

  private volatile int serverId;

  // Of the sender.
  private Stage stage = Stage.SEARCHED;
  private int searches;
  private int ticket;
  private int failedReads;
  private boolean isClashTold;
  private volatile boolean isFound;

  // Of the receiver.
  private volatile State state = State.ABSENT;
  private volatile boolean isReadable = true;
  private volatile ValueType type = ValueType.DOUBLE;
  private volatile int count;
  private volatile boolean isCreationRefused;
  private volatile boolean areLengthsRefused;
  private boolean isMetadataKnown;

  ClientChannel(int id, String name) {
    this.id = id;
    this.name = name;
  }

  int id() {
    return id;
  }

  String name() {
    return name;
  }

  /** Returns whether this is the field DESC of another channel. */
  boolean isDescription() {
    return id < 0;
  }

  /** Returns the number of the channel that this one describes. */
  int described() {
    return ~id;
  }

  @Nullable ClientChannel description() {
    return description;
  }

  void setDescription(@Nullable ClientChannel field) {
    description = field;
  }

  ChannelNumbers numbers() {
    return new ChannelNumbers(serverId, id);
  }

  @Nullable Circuit circuit() {
    return circuit;
  }

  boolean isOn(Circuit other) {
    return circuit == other;
  }

  /** Of the sender: gives the channel a circuit, on which the server has not created it yet. */
  void assign(Circuit to) {
    stage = Stage.ON_CIRCUIT;
    state = State.ABSENT;
    isReadable = true;
    failedReads = 0;
    circuit = to;
    if (!isDescription()) {
      to.channels().add(this);
    }
  }

  /** Of the sender: takes the circuit away. */
  void release(Stage next) {
    Circuit from = circuit;
    if (from != null) {
      from.channels().remove(this);
    }
    stage = next;
    circuit = null;
    description = null;
  }

  Stage stage() {
    return stage;
  }

  /** Returns how often the channel was searched since it was last found. */
  int searches() {
    return searches;
  }

  void setSearches(int number) {
    searches = number;
  }

  /** Returns the number of its valid entry in the queue of searches. */
  int ticket() {
    return ticket;
  }

  int nextTicket() {
    return ++ticket;
  }

  /** Of the sender: counts a failed read of metadata, and returns how many there were. */
  int failRead() {
    return ++failedReads;
  }

  /** Of the sender: returns whether it is the first time that two servers have the name. */
  boolean isFirstClash() {
    boolean isFirst = !isClashTold;
    isClashTold = true;
    return isFirst;
  }

  /** Of the sender: notes whether a server answered a search since the channel was created last. */
  void setFound(boolean found) {
    isFound = found;
  }

  State state() {
    return state;
  }

  void setState(State next) {
    state = next;
  }

  boolean isReadable() {
    return isReadable;
  }

  void setReadable(boolean readable) {
    isReadable = readable;
  }

  ValueType type() {
    return type;
  }

  /** Returns the largest number of elements. */
  int count() {
    return count;
  }

  /** Returns whether the server is asked for the present length of an array. */
  boolean hasLengths() {
    Circuit on = circuit;
    return count > 1 && on != null && on.hasLengths() && !areLengthsRefused;
  }

  /** Of the receiver: notes that the server refuses what its version promises. */
  void refuseLengths() {
    areLengthsRefused = true;
  }

  /** Returns the number of elements to ask for. */
  int requestedCount() {
    return hasLengths() ? 0 : count;
  }

  /** Returns whether the last server that was asked to create the channel refused. */
  boolean isCreationRefused() {
    return isCreationRefused;
  }

  void setCreationRefused(boolean refused) {
    isCreationRefused = refused;
  }

  /** Of the receiver: returns whether metadata was read, or the server failed to read it. */
  boolean isMetadataKnown() {
    return isMetadataKnown;
  }

  void setMetadataKnown() {
    isMetadataKnown = true;
  }

  /** Returns what a person should know of the channel. */
  ChannelState shownState() {
    Circuit on = circuit;
    if (on == null && isCreationRefused) {
      return ChannelState.REFUSED;
    } else if (on == null || !on.isConnected()) {
      return isFound ? ChannelState.UNREACHABLE : ChannelState.SEARCHED;
    }
    return switch (state) {
      case ABSENT -> ChannelState.CREATING;
      case CONNECTED -> ChannelState.CONNECTED;
      case SILENT, UNREADABLE -> ChannelState.DISCONNECTED;
      case REFUSED -> ChannelState.REFUSED;
    };
  }

  /** Of the receiver: what the server's answer says. */
  void created(int server, ValueType elements, int elementCount) {
    serverId = server;
    type = elements;
    count = elementCount;
    isCreationRefused = false;
    areLengthsRefused = false;
    isMetadataKnown = false;
  }
}
