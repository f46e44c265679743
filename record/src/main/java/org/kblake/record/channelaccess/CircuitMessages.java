package org.kblake.record.channelaccess;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.message.ChannelNumbers;
import org.kblake.record.channelaccess.message.MalformedMessageException;
import org.kblake.record.channelaccess.message.Message;
import org.kblake.record.channelaccess.message.MessageCommand;
import org.kblake.record.channelaccess.message.MessageParser;
import org.kblake.record.channelaccess.message.Requests;
import org.kblake.record.channelaccess.message.ServerAddress;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ControlLayout;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.TimedLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the messages of all circuits: puts events into the queue, and tells the sender what is to
 * be sent. The receiver's thread alone uses it.
 */
final class CircuitMessages implements MessageParser.Handler {

  private static final Logger LOG = LoggerFactory.getLogger(CircuitMessages.class);

  private static final int READ_RIGHT = 1;

  private final ChannelTable channels;
  private final EventQueue events;
  private final ReceiverTasks tasks;
  private final long largestArrayBytes;
  private final ChannelEvent event = new ChannelEvent();
  private final Message request = new Message();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();

  /** Channels whose metadata found no room in the ring. */
  private final Deque<ClientChannel> unread = new ArrayDeque<>();

  private @Nullable Circuit current;
  private long receivedNanos;

  /**
   * Creates a handler.
   *
   * @param largestArrayBytes the largest number of bytes of an array's elements
   */
  CircuitMessages(
      ChannelTable channels, EventQueue events, ReceiverTasks tasks, long largestArrayBytes) {
    this.channels = channels;
    this.events = events;
    this.tasks = tasks;
    this.largestArrayBytes =
        Math.min(largestArrayBytes, events.ring().largestEvent() - ValueType.STRING.bytes() * 2L);
  }

  /** States whose messages follow, and when they were received, in nanoseconds since 1970 UTC. */
  void begin(Circuit circuit, long nowNanos) {
    current = circuit;
    receivedNanos = nowNanos;
    if (!unread.isEmpty() && events.ring().used() < events.ring().capacity() / 2) {
      unread.forEach(tasks::metadataWanted);
      unread.clear();
    }
  }

  /** Returns the number of values received. */
  long values() {
    return values.get();
  }

  /** Returns the number of values that could not be taken. */
  long dropped() {
    return dropped.get();
  }

  @Override
  public void handle(Message message) throws MalformedMessageException {
    Circuit circuit = circuit();
    switch (message.command()) {
      case MessageCommand.EVENT_ADD -> takeValue(circuit, message);
      case MessageCommand.VERSION -> {
        circuit.setMinorVersion((int) message.count());
        tasks.versionKnown(circuit);
      }
      case MessageCommand.SEARCH ->
          tasks.found(message.second(), ServerAddress.foundBy(circuit.server(), message));
      case MessageCommand.CREATE_CHANNEL -> takeCreated(circuit, message);
      case MessageCommand.ACCESS_RIGHTS -> takeRights(circuit, message);
      case MessageCommand.CREATE_FAILED ->
          takeLost(circuit, message.first(), DisconnectReason.CREATION_REFUSED);
      case MessageCommand.SERVER_DISCONNECTED ->
          takeLost(circuit, message.first(), DisconnectReason.REMOVED_BY_SERVER);
      case MessageCommand.READ_NOTIFY -> takeRead(circuit, message);
      case MessageCommand.ERROR -> takeError(circuit, message);
      case MessageCommand.ECHO,
          MessageCommand.READ_SYNC,
          MessageCommand.CLEAR_CHANNEL,
          MessageCommand.NOT_FOUND -> {
        // A sign of life, which all bytes are.
      }
      default -> throw MessageParser.unknownCommand(message);
    }
  }

  private Circuit circuit() {
    Circuit circuit = current;
    if (circuit == null) {
      throw new IllegalStateException("message of no circuit");
    }
    return circuit;
  }

  /** A value may have more elements than announced, if arrays have their present length. */
  @Override
  public boolean permits(Message header) throws MalformedMessageException {
    boolean isValue =
        header.command() == MessageCommand.EVENT_ADD
            || header.command() == MessageCommand.READ_NOTIFY;
    ValueType type = isValue ? Requests.ofTimeType(header.type()) : null;
    if (type == null
        || header.payloadBytes() >= TimedLayout.bytes(type, header.count()) + Long.BYTES) {
      throw MessageParser.wrongSize(header);
    }
    Circuit circuit = circuit();
    ClientChannel channel = recorded(circuit, header.second());
    if (channel == null) {
      return false;
    }
    boolean isPermitted = type == channel.type() && mayHave(channel, header.count());
    if (isPermitted) {
      circuit.input().permit(header.payloadBytes());
    } else {
      drop(channel, DisconnectReason.TOO_LARGE);
    }
    return isPermitted;
  }

  private boolean mayHave(ClientChannel channel, long count) {
    return count <= channel.count()
        || channel.hasLengths() && count * channel.type().bytes() <= largestArrayBytes;
  }

  private void takeValue(Circuit circuit, Message message) {
    ClientChannel channel = recorded(circuit, message.second());
    boolean isEnd = message.payloadBytes() == 0 && message.first() == MessageCommand.NORMAL;
    if (channel == null || isEnd) {
      // A channel that was closed: its last values, and the end of its subscription.
      return;
    }
    if (message.first() == MessageCommand.NO_READ_ACCESS) {
      setReadable(channel, false);
      return;
    }
    int count = (int) message.count();
    int bytes = valueBytes(channel, message);
    if (bytes < 0) {
      boolean isRead = message.first() == MessageCommand.NORMAL;
      drop(channel, isRead ? DisconnectReason.CONTRADICTION : DisconnectReason.READ_FAILED);
      return;
    }
    setReadable(channel, true);
    values.setRelease(values.getPlain() + 1);
    circuit.receivedValue();
    event.begin(channel.id(), EventKind.VALUE, receivedNanos);
    event.typed(channel.type(), count);
    events.put(event.with(message.buffer(), message.payloadOffset(), bytes));
  }

  /**
   * Returns the number of bytes of a value without padding, or -1 if it contradicts its channel.
   */
  private int valueBytes(ClientChannel channel, Message message) {
    ClientChannel.State state = channel.state();
    ValueType type = channel.type();
    long count = message.count();
    if (message.first() != MessageCommand.NORMAL
        || state == ClientChannel.State.ABSENT
        || state == ClientChannel.State.REFUSED
        || message.type() != Requests.timeType(type)
        || !mayHave(channel, count)) {
      return -1;
    }
    long bytes = TimedLayout.bytes(type, count);
    if (bytes <= message.payloadBytes()) {
      return (int) bytes;
    }
    // Servers may send a single string without the zeros behind it.
    boolean isShortString =
        type == ValueType.STRING
            && count == 1
            && message.payloadBytes() > TimedLayout.elementsOffset(type);
    return isShortString ? (int) message.payloadBytes() : -1;
  }

  /** Counts a value that cannot be taken. Until the next one its channel is disconnected. */
  private void drop(ClientChannel channel, DisconnectReason reason) {
    dropped.setRelease(dropped.getPlain() + 1);
    events.lose(channel.id());
    interrupt(channel, reason);
  }

  private void interrupt(ClientChannel channel, DisconnectReason reason) {
    if (channel.state() == ClientChannel.State.CONNECTED) {
      channel.setState(ClientChannel.State.UNREADABLE);
      if (!channel.isDescription()) {
        events.put(disconnected(channel, reason));
      }
    }
  }

  /** Returns a channel that has a circuit, or null. */
  private @Nullable ClientChannel on(Circuit circuit, int id) {
    ClientChannel channel = channels.get(id);
    return channel != null && channel.isOn(circuit) ? channel : null;
  }

  /** Returns a channel that has a circuit and is no description, or null. */
  private @Nullable ClientChannel recorded(Circuit circuit, int id) {
    return id < 0 ? null : on(circuit, id);
  }

  private void takeCreated(Circuit circuit, Message message) {
    ClientChannel channel = on(circuit, message.first());
    if (channel == null) {
      tasks.unknown(circuit, numbers(message));
      return;
    }
    if (channel.state() != ClientChannel.State.ABSENT) {
      return;
    }
    DisconnectReason refusal = refusal(message);
    ValueType type = refusal == null ? ValueType.of(message.type()) : ValueType.CHAR;
    int count = refusal == null ? (int) message.count() : 0;
    channel.created(message.second(), type, count);
    if (channel.isDescription()) {
      channel.setState(ClientChannel.State.CONNECTED);
      tasks.created(channel);
    } else if (refusal != null) {
      LOG.warn(
          "{}: {} is not recorded: {}: type={}, count={}, largest={} bytes",
          circuit.server(),
          channel.name(),
          refusal.text(),
          message.type(),
          message.count(),
          largestArrayBytes);
      channel.setState(ClientChannel.State.REFUSED);
      events.put(disconnected(channel, refusal));
    } else {
      circuit.input().permit(TimedLayout.bytes(type, count));
      channel.setState(ClientChannel.State.UNREADABLE);
      if (channel.isReadable()) {
        setReadable(channel, true);
      } else {
        events.put(disconnected(channel, DisconnectReason.NO_READ_ACCESS));
      }
      tasks.created(channel);
    }
  }

  private static ChannelNumbers numbers(Message message) {
    return new ChannelNumbers(message.second(), message.first());
  }

  private @Nullable DisconnectReason refusal(Message message) {
    if (message.type() >= ValueType.count() || message.count() == 0) {
      return DisconnectReason.UNSUPPORTED_TYPE;
    }
    long bytes = message.count() * ValueType.of(message.type()).bytes();
    return bytes > largestArrayBytes ? DisconnectReason.TOO_LARGE : null;
  }

  private void takeRights(Circuit circuit, Message message) {
    ClientChannel channel = on(circuit, message.first());
    if (channel != null) {
      setReadable(channel, (message.second() & READ_RIGHT) != 0);
    }
  }

  /**
   * Notes whether values can be read. A value says it as well as a message about rights, and may
   * arrive before one.
   */
  private void setReadable(ClientChannel channel, boolean readable) {
    channel.setReadable(readable);
    if (readable && channel.state() == ClientChannel.State.UNREADABLE) {
      channel.setState(ClientChannel.State.CONNECTED);
      if (!channel.isDescription()) {
        event.begin(channel.id(), EventKind.CONNECTED, receivedNanos);
        event.typed(channel.type(), channel.count());
        events.put(event.from(circuit().name()));
        if (!channel.isMetadataKnown()) {
          tasks.metadataWanted(channel);
        }
      }
    } else if (!readable) {
      interrupt(channel, DisconnectReason.NO_READ_ACCESS);
    }
  }

  private void takeLost(Circuit circuit, int id, DisconnectReason reason) {
    ClientChannel channel = on(circuit, id);
    if (channel == null) {
      return;
    }
    boolean isRefused = reason == DisconnectReason.CREATION_REFUSED;
    boolean isNews = isRefused && !channel.isCreationRefused();
    channel.setCreationRefused(isRefused);
    end(channel, reason, isNews);
    tasks.lost(channel, circuit);
  }

  /** Puts the events of the end of a circuit. */
  void end(Circuit circuit, DisconnectReason reason, long nowNanos) {
    begin(circuit, nowNanos);
    circuit.channels().forEach(channel -> end(channel, reason, false));
  }

  /** Puts the events of a circuit whose server does not answer. */
  void silence(Circuit circuit, long nowNanos) {
    begin(circuit, nowNanos);
    circuit.setSilent(true);
    for (ClientChannel channel : circuit.channels()) {
      if (channel.state() == ClientChannel.State.CONNECTED) {
        channel.setState(ClientChannel.State.SILENT);
        events.put(disconnected(channel, DisconnectReason.NO_ANSWER));
      }
    }
  }

  /** Puts the events of a silent circuit whose server answers again. */
  void resume(Circuit circuit) {
    circuit.setSilent(false);
    for (ClientChannel channel : circuit.channels()) {
      if (channel.state() == ClientChannel.State.SILENT) {
        channel.setState(ClientChannel.State.UNREADABLE);
        setReadable(channel, true);
        tasks.valueWanted(channel);
      }
    }
  }

  private void end(ClientChannel channel, DisconnectReason reason, boolean isNews) {
    boolean wasConnected = channel.state() == ClientChannel.State.CONNECTED;
    channel.setState(ClientChannel.State.ABSENT);
    if ((wasConnected || isNews) && !channel.isDescription()) {
      events.put(disconnected(channel, reason));
    }
  }

  private ChannelEvent disconnected(ClientChannel channel, DisconnectReason reason) {
    return event.begin(channel.id(), EventKind.DISCONNECTED, receivedNanos).because(reason);
  }

  private void takeRead(Circuit circuit, Message message) {
    ClientChannel channel = on(circuit, message.second());
    if (channel == null) {
      return;
    }
    if (!channel.isDescription() && message.type() == Requests.timeType(channel.type())) {
      takeValue(circuit, message);
      return;
    }
    if (message.first() != MessageCommand.NORMAL || !isMetadata(channel, message)) {
      channel.setMetadataKnown();
      tasks.metadataFailed(channel);
      return;
    }
    if (channel.isDescription()) {
      event.begin(channel.described(), EventKind.DESCRIPTION, receivedNanos);
      event.typed(ValueType.STRING, 1);
    } else {
      event.begin(channel.id(), EventKind.METADATA, receivedNanos);
      event.typed(channel.type(), 1);
    }
    int bytes = (int) Math.min(message.payloadBytes(), metadataBytes(channel));
    if (events.offer(event.with(message.buffer(), message.payloadOffset(), bytes))) {
      channel.setMetadataKnown();
      tasks.metadataRead(channel);
    } else {
      unread.add(channel);
    }
  }

  private static boolean isMetadata(ClientChannel channel, Message message) {
    return channel.isDescription()
        ? message.type() == ValueType.STRING.code()
        : message.type() == Requests.controlType(channel.type())
            && message.payloadBytes() >= metadataBytes(channel);
  }

  private static int metadataBytes(ClientChannel channel) {
    return channel.isDescription() ? ValueType.STRING.bytes() : ControlLayout.bytes(channel.type());
  }

  private void takeError(Circuit circuit, Message message) {
    if (!message.readRequest(request)) {
      return;
    }
    LOG.debug("{}: {}: {}", circuit.server(), request.command(), message.errorText());
    switch (request.command()) {
      case MessageCommand.EVENT_ADD -> takeRefusal(circuit, message.second());
      case MessageCommand.CREATE_CHANNEL ->
          takeLost(circuit, request.first(), DisconnectReason.CREATION_REFUSED);
      case MessageCommand.READ_NOTIFY -> {
        ClientChannel channel = on(circuit, request.second());
        if (channel != null && Requests.ofTimeType(request.type()) != null) {
          takeRefusal(circuit, message.second());
        } else if (channel != null) {
          channel.setMetadataKnown();
          tasks.metadataFailed(channel);
        }
      }
      default -> {
        // Nothing waits for an answer.
      }
    }
  }

  /** Some servers refuse each update that is too large for them, and send the others. */
  private void takeRefusal(Circuit circuit, int status) {
    ClientChannel channel = recorded(circuit, request.second());
    boolean isSubscription = request.command() == MessageCommand.EVENT_ADD;
    if (channel == null || channel.state() == ClientChannel.State.ABSENT) {
      return;
    }
    if (status == MessageCommand.TOO_LARGE) {
      drop(channel, DisconnectReason.TOO_LARGE);
    } else if (status == MessageCommand.BAD_COUNT && isSubscription && channel.hasLengths()) {
      // Such as jca's server, of version 4.13: the array comes with all elements.
      channel.refuseLengths();
      tasks.created(channel);
    } else {
      interrupt(channel, DisconnectReason.REFUSED_BY_SERVER);
    }
  }
}
