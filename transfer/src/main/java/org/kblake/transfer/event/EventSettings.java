package org.kblake.transfer.event;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.shape.SendingLimits;

/**
 * The settings of a collector or a builder of events.
 *
 * @param data where it takes datagrams
 * @param timeout a manager that is silent for so long is lost
 */
public record EventSettings(
    String name,
    InetSocketAddress manager,
    InetSocketAddress data,
    Duration timeout,
    SendingLimits limits,
    TransferLog log) {}
