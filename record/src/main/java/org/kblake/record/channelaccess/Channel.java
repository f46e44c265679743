package org.kblake.record.channelaccess;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.message.ChannelNumbers;

/**
 * A channel of this client. The sender searches it, gives it a circuit and asks for its creation;
 * from the server's answer until the end of the circuit the receiver owns its state.
 */
final class Channel {

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
    UNREADABLE,
    /** Created, but not subscribed: its values cannot be recorded. */
    REFUSED
  }

  private final int id;
  private final String name;

  /** Written by the sender before it asks for the creation. */
  private volatile @Nullable Circuit circuit;

  /** Whether the field DESC is asked for. Such a channel has the number {@code ~id}. */
  private volatile @Nullable Channel description;

  private volatile int serverId;

  // Of the sender.
  private Stage stage = Stage.SEARCHED;
  private int searches;
  private int ticket;

  // Of the receiver.
  private volatile State state = State.ABSENT;
  private volatile boolean isReadable = true;
  private volatile ValueType type = ValueType.DOUBLE;
  private volatile int count;

  Channel(int id, String name) {
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

  @Nullable Channel description() {
    return description;
  }

  void setDescription(@Nullable Channel field) {
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
    circuit = to;
  }

  /** Of the sender: takes the circuit away. */
  void release(Stage next) {
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

  /** Of the receiver: what the server's answer says. */
  void created(int server, ValueType elements, int elementCount) {
    serverId = server;
    type = elements;
    count = elementCount;
  }
}
