package org.kblake.record.channelaccess;

import java.net.InetSocketAddress;
import org.kblake.record.channelaccess.message.ChannelNumbers;

/** What the receiver tells the sender. No method waits. */
interface ReceiverTasks {

  /** A server has a channel. */
  void found(int channel, InetSocketAddress server);

  /** A server created a channel, which is to be subscribed or, if it is a description, read. */
  void created(ClientChannel channel);

  /** A server could not create a channel, or removed it. */
  void lost(ClientChannel channel, Circuit from);

  /** The present value of a channel is to be read, because values may have been lost. */
  void valueWanted(ClientChannel channel);

  /** A channel without metadata is readable, or there is room again for its metadata. */
  void metadataWanted(ClientChannel channel);

  /** The metadata of a channel was read. */
  void metadataRead(ClientChannel channel);

  /** The server could not read the metadata of a channel. */
  void metadataFailed(ClientChannel channel);

  /** A server stated its version. */
  void versionKnown(Circuit circuit);

  /** A server created a channel that this client does not know any more. */
  void unknown(Circuit circuit, ChannelNumbers channel);

  /** A circuit ended. Its socket is closed. */
  void ended(Circuit circuit);

  /** The repeater of this machine will hand on beacons. */
  void repeaterConfirmed();

  /** A server sent a beacon. */
  void beacon(InetSocketAddress server, int number);
}
