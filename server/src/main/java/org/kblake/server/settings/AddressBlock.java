package org.kblake.server.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses of clients that have the same first bits.
 *
 * @param address one of them
 * @param bits the number of bits that all have
 */
public record AddressBlock(InetAddress address, int bits) {

  private static final String IP_V4 = "\\d{1,3}(?:\\.\\d{1,3}){3}";
  private static final String IP_V6 = "[0-9a-fA-F:]*:[0-9a-fA-F:.]*";
  private static final Pattern FORM =
      Pattern.compile("(" + IP_V4 + "|" + IP_V6 + ")(?:/(\\d{1,3}))?");

  /**
   * Parses {@code 10.0.0.5}, {@code 10.0.0.0/8} or {@code fd00::/8}.
   *
   * @throws IllegalArgumentException if the text has another form; names are not looked up
   */
  public static AddressBlock parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (form.matches()) {
      try {
        InetAddress address = InetAddress.getByName(form.group(1));
        int most = address.getAddress().length * Byte.SIZE;
        int bits = form.group(2) == null ? most : Integer.parseInt(form.group(2));
        if (bits <= most) {
          return new AddressBlock(address, bits);
        }
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException("'" + text + "' is not an IP address", e);
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not ADDRESS or ADDRESS/BITS; write 10.0.0.0/8");
  }

  /** Returns whether an address is in the block. */
  public boolean contains(InetAddress other) {
    byte[] mine = address.getAddress();
    byte[] theirs = other.getAddress();
    if (mine.length != theirs.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit % Byte.SIZE);
      if (((mine[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }
}
