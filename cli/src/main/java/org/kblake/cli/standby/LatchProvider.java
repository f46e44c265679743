package org.kblake.cli.standby;

import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.extension.ExtensionWord;

/**
 * Makes latches across hosts. Its library is in the tarball of {@code kblake record}, so that no
 * other start loads it.
 */
public interface LatchProvider {

  /**
   * Begins to wait for a latch.
   *
   * @param servers the ZooKeeper servers, {@code HOST:PORT,HOST:PORT}, perhaps with a path at the
   *     end
   * @param name the name that the processes share, without a slash
   * @param notices takes a line when something changed
   */
  Latch connect(String servers, String name, Consumer<String> notices);

  /**
   * Begins to wait for a latch, as {@link #connect} does.
   *
   * @throws RequestException if the library is not installed
   */
  static Latch acrossHosts(String servers, String name, Consumer<String> notices) {
    return ServiceLoader.load(LatchProvider.class)
        .findFirst()
        .orElseThrow(
            () ->
                new RequestException(
                    "standby across hosts needs the recorder's libraries; "
                        + ExtensionWord.installation("record")))
        .connect(servers, name, notices);
  }
}
