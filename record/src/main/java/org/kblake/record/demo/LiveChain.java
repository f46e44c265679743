package org.kblake.record.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.cli.extension.LiveDemo;
import org.kblake.cli.frame.Session;

/**
 * The chain from an IOC to the page of trends: {@link DemoServer}, and the commands record, run and
 * serve in this process, with settings and messages in one directory.
 */
public final class LiveChain implements LiveDemo {

  private static final long TURN_MILLIS = 20;
  private static final long LOOK_MILLIS = 200;
  private static final int PORT = 17668;

  /** An IOC in a thread of its own. */
  private static final class Ioc implements AutoCloseable {
    final DemoMachine machine = new DemoMachine(Clock.systemUTC());
    final DemoServer server;
    private final Thread thread = new Thread(this::run, "kblake-demo-ioc");
    private volatile boolean isClosed;

    Ioc() throws IOException {
      server = new DemoServer(machine.records());
      thread.setDaemon(true);
    }

    void start() {
      thread.start();
    }

    private void run() {
      try {
        while (!isClosed) {
          server.answer(TURN_MILLIS);
          machine.move(server);
        }
        server.close();
      } catch (IOException e) {
        // The channels are disconnected, which the page shows.
      }
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  @Override
  public void run(Session session, Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory.resolve("archive/SYS/LCF"));
    List<DemoCommandThread> commands = new ArrayList<>();
    try (Ioc ioc = new Ioc()) {
      ioc.start();
      int port = freePort();
      Files.writeString(directory.resolve("kblake.toml"), settings(ioc, port));
      Map<String, String> variables =
          Map.of(
              "EPICS_CA_NAME_SERVERS",
              "127.0.0.1:" + ioc.server.port(),
              "EPICS_CA_AUTO_ADDR_LIST",
              "NO");
      begin(commands, "record", "message=connected group=VA/CCG", variables, session, directory);
      begin(commands, "run", "message=started", variables, session, directory);
      begin(commands, "serve", "serving ", variables, session, directory);
      advise(session, directory, port, ioc.server.port());
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        for (DemoCommandThread each : commands) {
          each.check();
        }
      }
    } finally {
      commands.forEach(DemoCommandThread::stop);
      commands.forEach(DemoCommandThread::awaitEnd);
    }
  }

  private static void begin(
      List<DemoCommandThread> commands,
      String word,
      String sign,
      Map<String, String> variables,
      Session session,
      Path directory)
      throws IOException, InterruptedException {
    DemoCommandThread command = new DemoCommandThread(word, variables, session, directory);
    commands.add(command);
    command.start(sign);
  }

  /** Returns the usual port of the server, or another one if it is in use. */
  private static int freePort() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket usual = new ServerSocket()) {
      usual.bind(new InetSocketAddress(loopback, PORT));
      return PORT;
    } catch (IOException e) {
      try (ServerSocket any = new ServerSocket(0, 1, loopback)) {
        return any.getLocalPort();
      }
    }
  }

  /** The intervals are short, so that columns are seen soon. */
  private static String settings(Ioc ioc, int port) {
    StringBuilder names = new StringBuilder();
    DemoMachine.groups(ioc.machine.records())
        .forEach(
            (group, channels) ->
                names.append(
                    "names.\"%s\" = \"%s\"\n".formatted(group, String.join(" ", channels))));
    return """
        archive = "archive"
        store = "columns"

        [record]
        milestone = "10s"
        new-pair = "10s"
        %scanaries."127.0.0.1:%d" = "%s"

        [run]
        seal-age = "20s"
        seal-events = "0"
        threads = "1"
        memory = "64M"

        [serve]
        listen = "127.0.0.1:%d"
        """
        .formatted(names, ioc.server.port(), DemoMachine.CANARY, port);
  }

  private static void advise(Session session, Path directory, int port, int iocPort) {
    String channels =
        String.join(
            ",",
            DemoMachine.CURRENT,
            DemoMachine.PRESSURE,
            DemoMachine.INJECTION,
            DemoMachine.ORBIT);
    for (String line :
        List.of(
            "An IOC, kblake record, kblake run and kblake serve, until Ctrl-C. Open in a browser:",
            "  http://127.0.0.1:" + port + "/?c=" + channels + "&from=now-5m&to=now&live=1",
            "In another terminal:",
            "  cd " + directory,
            "  tail -f record.log run.log",
            "  kblake channels -l",
            "  kblake get " + DemoMachine.CURRENT + " --from -10s --follow",
            "  kblake coverage",
            "  EPICS_CA_NAME_SERVERS=127.0.0.1:" + iocPort + " camonitor " + DemoMachine.CURRENT,
            "A record counts up, and leaves out five numbers each minute: the page marks the loss.")) {
      session.note(line);
    }
  }
}
