package org.kblake.server;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.query.question.HeldQuery;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ServerLimits;

/**
 * The settings of a server.
 *
 * @param address where it listens; port 0 is any free port
 * @param zone the zone of times without an offset, and of aligned bins
 * @param clock the present time
 * @param lookBack the greatest age of held values in answers that do not give one themselves
 * @param access who may ask
 * @param limits how much it does at once
 * @param requestLog gets a line for each request, from several threads; null for no log
 */
public record ServerSettings(
    InetSocketAddress address,
    ZoneId zone,
    InstantSource clock,
    Duration lookBack,
    AccessSettings access,
    ServerLimits limits,
    @Nullable Consumer<String> requestLog) {

  /** Makes settings for loopback, with the usual limits, and without a log. */
  public ServerSettings(InetSocketAddress address, ZoneId zone, InstantSource clock) {
    this(
        address,
        zone,
        clock,
        HeldQuery.DEFAULT_LOOK_BACK,
        AccessSettings.open(),
        ServerLimits.defaults(),
        null);
  }

  /** Returns settings with the zone of KEK and the clock of this host. */
  public static ServerSettings at(InetSocketAddress address) {
    return new ServerSettings(address, ArchiveSettings.defaults().zone(), InstantSource.system());
  }
}
