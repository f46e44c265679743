package org.kblake.server;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.kblake.query.ArchiveReader;
import org.kblake.server.internal.api.ApiDoor;
import org.kblake.server.internal.appliance.JsonArchiveDoor;
import org.kblake.server.internal.appliance.RetrievalDoor;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.Door;
import org.kblake.server.internal.http.HttpService;
import org.kblake.server.internal.http.HttpSettings;
import org.kblake.server.internal.live.LiveDoor;
import org.kblake.server.internal.live.LiveLimits;
import org.kblake.server.internal.page.PageDoor;
import org.kblake.server.internal.status.StatusDoor;

/**
 * Serves an archive over HTTP until it is closed. It is read-only. Thread safe.
 *
 * <p>The caller closes the server, and then the reader.
 */
public final class TrendServer implements AutoCloseable {

  private final HttpService http;
  private final ServedArchive archive;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final LiveDoor live;

  private TrendServer(HttpService http, ServedArchive archive, LiveDoor live) {
    this.http = http;
    this.live = live;
    this.archive = archive;
  }

  /**
   * Starts a server.
   *
   * @param reader stays open when the server is closed
   * @throws IOException if it cannot listen at the address, or cannot read a file of TLS
   * @throws IllegalArgumentException if it would listen off loopback without token or TLS, and is
   *     not set to be insecure
   */
  public static TrendServer start(ArchiveReader reader, ServerSettings settings)
      throws IOException {
    List<String> lacks = settings.access().lacks(settings.address());
    if (!lacks.isEmpty()) {
      throw new IllegalArgumentException(
          "it would listen off loopback without " + String.join(" or ", lacks));
    }
    ServedArchive archive = new ServedArchive(reader, settings.zone(), settings.clock());
    LiveDoor live = new LiveDoor(archive, LiveLimits.of(settings.limits().streams()));
    List<Door> doors =
        List.of(
            new PageDoor(),
            new ApiDoor(archive),
            live,
            new StatusDoor(archive),
            new RetrievalDoor(archive),
            new JsonArchiveDoor(archive));
    HttpSettings http =
        new HttpSettings(
            settings.address(), settings.access(), settings.limits(), settings.requestLog());
    return new TrendServer(
        HttpService.start(http, doors, archive::memoryInUse, reader::groups), archive, live);
  }

  /** Returns the port at which the server listens. */
  public int port() {
    return http.port();
  }

  /** Ends the server. Requests in work have some seconds to end. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    // Live streams end before the connections are closed.
    live.close();
    http.close();
    archive.close();
  }
}
