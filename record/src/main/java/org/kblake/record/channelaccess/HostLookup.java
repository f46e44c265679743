package org.kblake.record.channelaccess;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks hosts up again that were unknown, until all are known or its thread is interrupted. It has
 * a thread of its own, because a look-up waits.
 */
final class HostLookup implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(HostLookup.class);

  private static final long PERIOD_MILLIS = 10_000;

  /** An address of an unknown host, and the list that gets it when it is known. */
  private record Unknown(InetSocketAddress address, List<InetSocketAddress> known) {}

  private final List<Unknown> unknown = new ArrayList<>();

  /**
   * Returns the addresses of known hosts, and later also those that become known. Called before the
   * thread starts. Any thread may read the list.
   */
  List<InetSocketAddress> known(List<InetSocketAddress> addresses) {
    List<InetSocketAddress> known = new CopyOnWriteArrayList<>();
    for (InetSocketAddress each : addresses) {
      if (each.isUnresolved()) {
        unknown.add(new Unknown(each, known));
      } else {
        known.add(each);
      }
    }
    return known;
  }

  @Override
  public void run() {
    try {
      while (!unknown.isEmpty()) {
        unknown.removeIf(HostLookup::isFound);
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("{} hosts are still unknown", unknown.size());
    }
  }

  private static boolean isFound(Unknown each) {
    InetSocketAddress address = each.address();
    InetSocketAddress found = new InetSocketAddress(address.getHostString(), address.getPort());
    if (found.isUnresolved()) {
      return false;
    }
    LOG.info("{}: the host is known now", found);
    each.known().add(found);
    return true;
  }
}
