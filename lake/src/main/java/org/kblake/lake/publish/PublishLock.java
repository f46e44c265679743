package org.kblake.lake.publish;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LocalFiles;
import org.kblake.lake.table.WriteRight;

/** The right to change the tables of a location, as a lock. */
public interface PublishLock extends WriteRight, AutoCloseable {

  /** The lock of a location is taken. The message names the holder. */
  final class Held extends IOException {

    private static final long serialVersionUID = 1L;

    Held(String location, String holder) {
      super(
          "another process publishes to this location: location="
              + location
              + ", holder="
              + holder
              + "; wait for it with --wait, or stop it");
    }
  }

  /** Releases the lock. */
  @Override
  void close() throws IOException;

  /**
   * Takes the lock of a location.
   *
   * @param waiting gets a line if the lock must be waited for; null to wait for nothing
   * @throws Held if another process has it, and {@code waiting} is null
   */
  static PublishLock take(LakeCatalog catalog, @Nullable Consumer<String> waiting)
      throws IOException, InterruptedException {
    Path local = LocalFiles.path(catalog.location());
    return local == null
        ? LeaseLock.take(catalog, holder(), waiting, LeaseLock.Times.USUAL)
        : FileLocking.take(local, holder(), waiting);
  }

  private static String holder() {
    ProcessHandle process = ProcessHandle.current();
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      host = "unknown";
    }
    return "host="
        + host
        + " pid="
        + process.pid()
        + " since="
        + process.info().startInstant().orElseGet(Instant::now);
  }
}
