package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.shape.SendingLimits;

/** Collectors and builders of events in this process. */
final class EventsFixture implements Closeable {

  final Ends log = new Ends();

  /** Where builders take fragments. */
  final List<InetSocketAddress> addresses = new ArrayList<>();

  final Queue<String> rows = new ConcurrentLinkedQueue<>();
  Duration timeout = Duration.ofSeconds(5);

  /** The pause of builders before they write the first event. */
  volatile long writingMillis;

  private final List<Thread> threads = new ArrayList<>();

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  EventManager manager(int port) throws IOException {
    return new EventManager(Ends.local(port), timeout, log);
  }

  private EventSettings settings(String name, InetSocketAddress manager) {
    return new EventSettings(name, manager, Ends.local(0), timeout, SendingLimits.NONE, log);
  }

  /** Starts a collector, whose fragments are its name and the number of the event. */
  Thread collector(String name, InetSocketAddress manager) throws IOException {
    return collector(name, manager, event -> true);
  }

  Thread collector(String name, InetSocketAddress manager, IntPredicate has) throws IOException {
    EventCollector collector =
        new EventCollector(settings(name, manager), (channels, nanos) -> fragments(name, has, 0));
    return start(name, collector::run);
  }

  /**
   * Returns fragments.
   *
   * @param least the bytes of a fragment at least
   */
  static FragmentSource.Fragments fragments(String name, IntPredicate has, int least) {
    return new FragmentSource.Fragments() {
      @Override
      public String columns() {
        return "of " + name;
      }

      @Override
      public byte[] fragment(int event) throws IOException {
        if (!has.test(event)) {
          throw new IOException("no fragment");
        }
        byte[] bytes = (name + "=" + event).getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, Math.max(least, bytes.length));
      }

      @Override
      public void close() {}
    };
  }

  /** Starts a builder, whose events become rows. */
  Thread builder(String name, InetSocketAddress manager) throws IOException {
    EventBuilder builder = openBuilder(name, manager);
    return start(
        name,
        () -> {
          try (builder) {
            builder.run();
          }
        });
  }

  private EventBuilder openBuilder(String name, InetSocketAddress manager) throws IOException {
    EventBuilder builder =
        new EventBuilder(
            settings(name, manager),
            new EventSink() {
              @Override
              public void begin(List<String> columns) {
                log.info(name + " has " + columns);
              }

              @Override
              public void built(long event, long nanos, List<byte[]> fragments) {
                if (event == 1) {
                  pause();
                }
                StringBuilder row = new StringBuilder(event + "@" + nanos);
                fragments.forEach(
                    each -> row.append(' ').append(new String(each, StandardCharsets.UTF_8)));
                rows.add(row.toString());
              }

              @Override
              public void end() {}
            });
    addresses.add(builder.address());
    return builder;
  }

  private void pause() {
    try {
      Thread.sleep(writingMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Thread start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                log.warn(name + " ended: " + e);
              } catch (InterruptedException e) {
                log.info(name + " was interrupted");
              }
            },
            name);
    thread.start();
    threads.add(thread);
    return thread;
  }

  /** Returns a plan of events at 100, 101 and so on. */
  static EventPlan plan(int events, int collectors, int builders, boolean pulls, boolean tcp) {
    List<Long> nanos = LongStream.range(100, 100 + events).boxed().toList();
    Duration deadline = Duration.ofSeconds(2);
    return new EventPlan(
        List.of("*"), nanos, collectors, builders, pulls, tcp, 16, deadline, null, null);
  }

  /** Returns the rows of a plan. */
  static List<String> rows(int events, String... collectors) {
    List<String> rows = new ArrayList<>();
    for (int event = 0; event < events; event++) {
      StringBuilder row = new StringBuilder((event + 1) + "@" + (100 + event));
      for (String each : collectors) {
        row.append(' ').append(each).append('=').append(event);
      }
      rows.add(row.toString());
    }
    return rows;
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    for (Thread each : threads) {
      try {
        each.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
