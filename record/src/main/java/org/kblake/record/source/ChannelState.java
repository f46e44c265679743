package org.kblake.record.source;

/** How far a channel is from its values, for a person who asks why there are none. */
public enum ChannelState {
  /** No server answers. */
  SEARCHED("no server answers"),
  /** A server answered. There is no connection to it. */
  UNREACHABLE("a server answers and cannot be connected"),
  /** There is a connection to the server. It has not answered the request for the channel. */
  CREATING("the server does not answer the request for the channel"),
  /** The server refuses the channel, or its values cannot be recorded. */
  REFUSED("refused"),
  /** The server has the channel. Its values cannot be read now. */
  DISCONNECTED("not readable"),
  CONNECTED("connected");

  private final String text;

  ChannelState(String text) {
    this.text = text;
  }

  /** Returns the state in words. */
  public String text() {
    return text;
  }
}
