package org.kblake.record.measure;

import com.cosylab.epics.caj.CAJContext;
import gov.aps.jca.CAException;
import gov.aps.jca.Channel;
import gov.aps.jca.JCALibrary;
import gov.aps.jca.Monitor;
import gov.aps.jca.TimeoutException;
import gov.aps.jca.dbr.DBR_TIME_Double;
import gov.aps.jca.event.ConnectionEvent;
import gov.aps.jca.event.ConnectionListener;
import gov.aps.jca.event.MonitorEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures org.epics:jca, pure Java, with what its settings allow: its properties (-D) choose how
 * it hands out events. Arguments: channels, seconds, first part of the names.
 */
public final class MeasureJca {

  private MeasureJca() {}

  private static final long EPOCH_1990 = 631_152_000;

  private static volatile long connectedNanos;

  public static void main(String[] arguments)
      throws CAException, TimeoutException, InterruptedException {
    int channels = Integer.parseInt(arguments[0]);
    long seconds = Long.parseLong(arguments[1]);
    CAJContext context =
        (CAJContext) JCALibrary.getInstance().createContext(JCALibrary.CHANNEL_ACCESS_JAVA);
    AtomicInteger connected = new AtomicInteger();
    CountingRun run = new CountingRun(channels);
    for (int i = 0; i < channels; i++) {
      int channel = i;
      context.createChannel(
          arguments[2] + i,
          new ConnectionListener() {
            @Override
            public void connectionChanged(ConnectionEvent event) {
              if (event.isConnected()) {
                if (connected.incrementAndGet() == channels) {
                  connectedNanos = System.nanoTime();
                }
                monitor(run, (Channel) event.getSource(), channel);
              }
            }
          });
    }
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    long settled = end - Duration.ofSeconds(seconds).toNanos() / 3;
    boolean isSettled = false;
    // The request that switches events on again may otherwise wait for ever.
    boolean isFlushed = Boolean.parseBoolean(System.getProperty("flush", "true"));
    context.flushIO();
    while (System.nanoTime() < end) {
      if (isFlushed) {
        context.flushIO();
      }
      Thread.sleep(100);
      if (!isSettled && System.nanoTime() > settled) {
        isSettled = true;
        run.settle();
      }
    }
    run.print(System.getProperty("client", "jca"), connectedNanos, "");
    System.exit(0);
  }

  private static void monitor(CountingRun run, Channel channel, int number) {
    try {
      channel.addMonitor(
          gov.aps.jca.dbr.DBRType.TIME_DOUBLE,
          1,
          Monitor.VALUE | Monitor.ALARM,
          (MonitorEvent event) -> {
            if (event.getDBR() instanceof DBR_TIME_Double value) {
              run.value(
                  number,
                  value.getDoubleValue()[0],
                  (value.getTimeStamp().secPastEpoch() + EPOCH_1990) * 1_000_000_000L
                      + value.getTimeStamp().nsec());
            }
          });
      channel.getContext().flushIO();
    } catch (CAException e) {
      throw new IllegalStateException(e);
    }
  }
}
