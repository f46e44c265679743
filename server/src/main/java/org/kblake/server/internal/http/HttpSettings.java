package org.kblake.server.internal.http;

import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ServerLimits;

/**
 * The settings of HTTP.
 *
 * @param address where it listens; port 0 is any free port
 * @param access who may ask
 * @param limits how much it does at once
 * @param clock the present time
 * @param requestLog gets a line for each request, from several threads; null for no log
 */
public record HttpSettings(
    InetSocketAddress address,
    AccessSettings access,
    ServerLimits limits,
    InstantSource clock,
    @Nullable Consumer<String> requestLog) {}
