package org.kblake.record.standby;

import java.util.function.Consumer;
import org.kblake.cli.standby.Latch;
import org.kblake.cli.standby.LatchProvider;

/** Latches across hosts. */
public final class ZooKeeperLatches implements LatchProvider {

  @Override
  public Latch connect(String servers, String name, Consumer<String> notices) {
    return ZooKeeperLatch.connect(
        servers, name, ZooKeeperLatch.SESSION, ZooKeeperLatch.SILENCE, notices);
  }
}
