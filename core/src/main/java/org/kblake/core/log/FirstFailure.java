package org.kblake.core.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** The error that stopped something: what goes wrong while it is closed must not hide it. */
public final class FirstFailure {

  private FirstFailure() {}

  /**
   * Closes what an error has left unfinished. What goes wrong then is added to the error, as
   * suppressed.
   *
   * @param first the error, which the caller throws
   * @param unfinished all of them are closed, in this order
   */
  public static void close(Throwable first, Closeable... unfinished) {
    for (Closeable each : unfinished) {
      try {
        each.close();
      } catch (IOException | RuntimeException | Error e) {
        if (e != first) {
          first.addSuppressed(e);
        }
      }
    }
  }

  /**
   * Closes all of them, in this order.
   *
   * @throws IOException the first that one of them threw; the others' are added to it
   */
  public static void closeAll(List<? extends Closeable> all) throws IOException {
    for (int i = 0; i < all.size(); i++) {
      try {
        all.get(i).close();
      } catch (IOException | RuntimeException | Error e) {
        close(e, all.subList(i + 1, all.size()).toArray(Closeable[]::new));
        throw e;
      }
    }
  }
}
