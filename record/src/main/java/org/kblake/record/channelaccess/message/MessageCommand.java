package org.kblake.record.channelaccess.message;

/** The commands of messages, without those that write. */
public final class MessageCommand {

  public static final int VERSION = 0;
  public static final int EVENT_ADD = 1;
  public static final int SEARCH = 6;
  public static final int READ_SYNC = 10;
  public static final int ERROR = 11;
  public static final int CLEAR_CHANNEL = 12;
  public static final int BEACON = 13;
  public static final int NOT_FOUND = 14;
  public static final int READ_NOTIFY = 15;
  public static final int REPEATER_CONFIRM = 17;
  public static final int CREATE_CHANNEL = 18;
  public static final int CLIENT_NAME = 20;
  public static final int HOST_NAME = 21;
  public static final int ACCESS_RIGHTS = 22;
  public static final int ECHO = 23;
  public static final int REPEATER_REGISTER = 24;
  public static final int CREATE_FAILED = 26;
  public static final int SERVER_DISCONNECTED = 27;

  /** The status of success in answers. */
  public static final int NORMAL = 1;

  /** The status of a read that the server does not permit. */
  public static final int NO_READ_ACCESS = 46 << 3;

  /** The status of an array that is too large for the server. */
  public static final int TOO_LARGE = 9 << 3;

  /** The status of a number of elements that the server does not send. */
  public static final int BAD_COUNT = 22 << 3;

  /** The minor version that this client states. */
  public static final int MINOR_VERSION = 13;

  /** The first minor version in which servers take searches over TCP. */
  public static final int MINOR_VERSION_OF_SEARCHES = 12;

  /** The first minor version in which a count of 0 asks for the present length of an array. */
  public static final int MINOR_VERSION_OF_LENGTHS = 13;

  private MessageCommand() {}
}
