package org.kblake.server;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.kblake.query.ArchiveReader;
import org.kblake.server.internal.api.ApiDoor;
import org.kblake.server.internal.appliance.JsonArchiveDoor;
import org.kblake.server.internal.appliance.RetrievalDoor;
import org.kblake.server.internal.data.AnswerMemory;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.Door;
import org.kblake.server.internal.http.HttpService;
import org.kblake.server.internal.http.HttpSettings;
import org.kblake.server.internal.live.LiveDoor;
import org.kblake.server.internal.live.LiveLimits;
import org.kblake.server.internal.page.PageDoor;
import org.kblake.server.internal.status.StatusDoor;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.ServerLimits;

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
    ServerLimits limits = settings.limits();
    ServedArchive archive =
        new ServedArchive(
            reader,
            settings.zone(),
            settings.clock(),
            settings.lookBack(),
            new AnswerMemory(limits.memoryBytes(), limits.longestWait()));
    LiveDoor live = new LiveDoor(archive, LiveLimits.of(limits.streams()));
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
            settings.address(), settings.access(), limits, settings.clock(), settings.requestLog());
    return new TrendServer(
        HttpService.start(http, doors, archive::memoryInUse, reader::groups), archive, live);
  }

  /** Returns the port at which the server listens. */
  public int port() {
    return http.port();
  }

  /** Admits other tokens from now on. Requests in work whose token is gone are cut. */
  public void renewTokens(AccessTokens tokens) {
    http.renewTokens(tokens);
  }

  /**
   * Reads the files of TLS again, for connections from now on.
   *
   * @throws IOException if they cannot be used; the old certificate then stays
   */
  public void renewCertificate() throws IOException {
    http.renewCertificate();
  }

  /**
   * Shows in the metrics whether a file has changed and cannot be used.
   *
   * @param setting the setting that names the file
   */
  public void showOutdated(String setting, boolean isOutdated) {
    http.showOutdated(setting, isOutdated);
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
