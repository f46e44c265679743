package org.kblake.transfer.shape;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A builder's share of the network: {@code HOST} or {@code HOST=RATE}.
 *
 * @param most what it gets of data at most; null for all
 */
public record BuilderShare(String host, @Nullable BitRate most) {

  /**
   * @throws IllegalArgumentException if the text has another form
   */
  public static BuilderShare parse(String text) {
    String[] words = text.split("=", 2);
    if (words[0].isBlank()) {
      throw new IllegalArgumentException("'" + text + "' is not HOST or HOST=RATE");
    }
    return new BuilderShare(words[0], words.length < 2 ? null : BitRate.parse(words[1]));
  }

  /**
   * Returns the addresses of the host.
   *
   * @throws IllegalArgumentException if it is unknown
   */
  List<InetAddress> addresses() {
    try {
      return Arrays.asList(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("the host is unknown: tc-builders=" + host, e);
    }
  }

  @Override
  public String toString() {
    return most == null ? host : host + "=" + most;
  }
}
