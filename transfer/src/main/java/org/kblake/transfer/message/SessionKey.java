package org.kblake.transfer.message;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** The secret that joins a data connection to its control connection. */
public record SessionKey(long high, long low) {

  /** The bytes of {@link #put}: a magic, and the key. */
  public static final int BYTES = 20;

  private static final int MAGIC = 0x4B424744; // KBGD
  private static final SecureRandom RANDOM = new SecureRandom();

  public static SessionKey random() {
    return new SessionKey(RANDOM.nextLong(), RANDOM.nextLong());
  }

  public void put(ByteBuffer out) {
    out.putInt(MAGIC).putLong(high).putLong(low);
  }

  /** Reads what {@link #put} wrote. */
  public static SessionKey read(ByteBuffer in) throws ProtocolException {
    if (in.getInt() != MAGIC) {
      throw new ProtocolException("the connection does not begin as one for data");
    }
    return new SessionKey(in.getLong(), in.getLong());
  }

  /** Returns a text without the key. */
  @Override
  public String toString() {
    return "SessionKey";
  }
}
