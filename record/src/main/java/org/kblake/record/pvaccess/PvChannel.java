package org.kblake.record.pvaccess;

import java.util.BitSet;
import org.epics.pva.client.ClientChannelListener;
import org.epics.pva.client.ClientChannelState;
import org.epics.pva.client.MonitorListener;
import org.epics.pva.client.PVAChannel;
import org.epics.pva.client.PVAClient;
import org.epics.pva.data.PVAStructure;
import org.jspecify.annotations.Nullable;
import org.kblake.record.source.DisconnectReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel. Threads of core-pva, of the user and of the watch for stalled channels call it.
 *
 * <p>core-pva is never called with the lock of this object, because core-pva calls back with locks
 * of its own.
 */
final class PvChannel {

  private static final Logger LOG = LoggerFactory.getLogger(PvChannel.class);

  /** The time until a channel without a value is opened anew doubles this often. */
  private static final int MOST_DOUBLINGS = 5;

  private final String name;
  private final EventOutput output;
  private final Subscription subscription;

  /** Whose calls count, or null if the channel is closed. */
  private @Nullable Attempt present;

  /** How often the channel was opened anew since its last value. */
  private int stalls;

  private boolean isClosed;

  /**
   * Creates a channel that is not searched.
   *
   * @param number the channel's number in events
   * @param name the name that servers know
   */
  PvChannel(int number, String name, EventOutput output) {
    this.name = name;
    this.output = output;
    subscription = new Subscription(number, output);
  }

  /** A channel of core-pva. */
  private final class Attempt implements ClientChannelListener, MonitorListener {

    private @Nullable PVAChannel channel;
    private @Nullable AutoCloseable monitor;
    private boolean isSearching;
    private boolean isConnected;
    private boolean isRefused;

    /** The time at which a server answered, if neither a value nor a refusal followed. */
    private long foundNanos;

    private boolean isWaiting;

    @Override
    public void channelStateChanged(PVAChannel from, ClientChannelState state) {
      synchronized (PvChannel.this) {
        if (present != this) {
          return;
        }
        setSearching(state == ClientChannelState.SEARCHING);
        isConnected = state == ClientChannelState.CONNECTED;
        isRefused = false;
        if (state == ClientChannelState.FOUND) {
          isWaiting = true;
          foundNanos = System.nanoTime();
        } else if (!isConnected) {
          isWaiting = false;
          subscription.end(DisconnectReason.CIRCUIT_CLOSED);
        }
      }
      if (state == ClientChannelState.CONNECTED) {
        subscribe(from);
      }
    }

    private void setSearching(boolean next) {
      if (next != isSearching) {
        isSearching = next;
        output.searching().addAndGet(next ? 1 : -1);
      }
    }

    private void subscribe(PVAChannel to) {
      try {
        AutoCloseable subscribed = to.subscribe("", this);
        synchronized (PvChannel.this) {
          monitor = subscribed;
        }
      } catch (Exception e) {
        // Its connection ended meanwhile, and the channel is searched again.
        LOG.debug("{}: not subscribed: {}", name, e.getMessage());
      }
    }

    @Override
    public void handleMonitor(
        PVAChannel from,
        @Nullable BitSet changes,
        @Nullable BitSet overruns,
        @Nullable PVAStructure data) {
      AutoCloseable refused = null;
      synchronized (PvChannel.this) {
        if (present != this || !isConnected || isRefused) {
          return;
        }
        if (changes == null || overruns == null || data == null) {
          // The server ended the subscription. The channel is opened anew if it stays connected.
          isWaiting = true;
          foundNanos = System.nanoTime();
          subscription.end(DisconnectReason.REMOVED_BY_SERVER);
          return;
        }
        isWaiting = false;
        stalls = 0;
        isRefused = !subscription.take(data, changes, overruns, address(from));
        refused = isRefused ? monitor : null;
      }
      if (refused != null) {
        LOG.warn("{} is not recorded: {}", name, NormativeStructure.describe(data));
        unsubscribe(refused);
      }
    }

    private void unsubscribe(AutoCloseable from) {
      try {
        from.close();
      } catch (Exception e) {
        LOG.debug("{}: its subscription did not end: {}", name, e.getMessage());
      }
    }

    private String address(PVAChannel from) {
      return subscription.isConnected() ? "" : String.valueOf(from.getRemoteAddress());
    }
  }

  /** Searches the channel. */
  void open(PVAClient client) {
    Attempt attempt = new Attempt();
    synchronized (this) {
      if (isClosed) {
        return;
      }
      present = attempt;
    }
    PVAChannel channel = client.getChannel(name, attempt);
    synchronized (this) {
      attempt.channel = channel;
      if (present == attempt) {
        return;
      }
    }
    channel.close();
  }

  /** Closes the channel, without an event. */
  void close() {
    PVAChannel channel;
    synchronized (this) {
      isClosed = true;
      subscription.close();
      channel = end();
    }
    if (channel != null) {
      channel.close();
    }
  }

  /** Lets the calls of the present attempt count no more. */
  private @Nullable PVAChannel end() {
    Attempt attempt = present;
    present = null;
    if (attempt == null) {
      return null;
    }
    attempt.setSearching(false);
    return attempt.channel;
  }

  /**
   * Ends the search if a server answered for the channel and it has had no value for a time.
   *
   * @param nanos the time, which is longer after each such try
   * @return whether the channel is to be opened anew
   */
  boolean endIfStalled(long nowNanos, long nanos) {
    PVAChannel channel;
    synchronized (this) {
      Attempt attempt = present;
      long most = nanos << Math.min(stalls, MOST_DOUBLINGS);
      if (attempt == null || !attempt.isWaiting || nowNanos - attempt.foundNanos < most) {
        return false;
      }
      if (stalls == 0) {
        subscription.disconnect(
            attempt.isConnected ? DisconnectReason.REFUSED_BY_SERVER : DisconnectReason.NO_ANSWER,
            "no value after the channel was found",
            true);
      }
      stalls++;
      channel = end();
    }
    if (channel != null) {
      channel.close();
    }
    return true;
  }
}
