package org.kblake.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kblake.cli.process.ProcessEnvironment;

/**
 * Starts {@code kblake serve}, sends a request to each door, and stops it, for {@link Training}.
 */
final class ServeTraining {

  private static final Pattern URL = Pattern.compile("http://[^/]*:([0-9]+)/");
  private static final int TIMEOUT_MILLIS = 10_000;

  private ServeTraining() {}

  /**
   * @param from the begin of a range in which the channel has events, in the form of the command
   *     line
   * @param to its end
   */
  static void run(ProcessEnvironment environment, String channel, String from, String to)
      throws IOException {
    PipedInputStream notes = new PipedInputStream();
    PrintStream err = new PrintStream(new PipedOutputStream(notes), true, StandardCharsets.UTF_8);
    ProcessEnvironment process =
        new ProcessEnvironment(
            environment.in(),
            environment.out(),
            err,
            environment.variables(),
            environment.workingDirectory(),
            environment.clock(),
            false,
            false);
    Thread server =
        new Thread(
            () -> {
              try (err) {
                int unused = Kblake.run(process, new String[] {"serve", "--listen", "127.0.0.1:0"});
              }
            },
            "training-serve");
    server.start();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(notes, StandardCharsets.UTF_8))) {
      Matcher url = URL.matcher(String.valueOf(lines.readLine()));
      if (url.find()) {
        int port = Integer.parseInt(url.group(1));
        for (String path : paths(channel, from, to)) {
          send(port, path);
        }
      }
      server.interrupt();
      server.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> paths(String channel, String from, String to) {
    String range = "&from=" + from + "&to=" + to;
    String trend = "/api/v1/trend?channel=" + channel + range;
    String data = "/api/v1/data?channel=" + channel + range + "&format=";
    String samples = "/retrieval/data/getData.";
    String utc = "&from=2022-02-28T15:10:00Z&to=2022-02-28T17:30:00Z";
    return List.of(
        "/",
        "/health",
        "/ready",
        "/metrics",
        "/nothing",
        "/api/v1/archive",
        "/api/v1/status",
        "/api/v1/channels?search=bm+current",
        "/api/v1/channels?search=nothing",
        "/api/v1/metadata?channel=" + channel,
        "/api/v1/values?channel=" + channel + "&at=" + to,
        "/api/v1/coverage?channel=" + channel + range,
        trend + "&bins=20&points=0",
        trend + "&bins=20000",
        data + "csv",
        data + "json",
        data + "arrow",
        "/api/v1/table?channel=" + channel + range + "&every=60s",
        "/api/v1/trend?channel=" + channel + "&from=nothing",
        samples + "raw?pv=" + channel + utc,
        samples + "raw?pv=optimized_20(" + channel + ")" + utc,
        samples + "json?pv=mean_60(" + channel + ")" + utc,
        samples + "csv?pv=" + channel + utc,
        "/retrieval/bpl/getMatchingPVs?pv=BM*",
        "/retrieval/bpl/getMetadata?pv=" + channel,
        "/archive/");
  }

  /** Sends a request, and reads the answer to its end. */
  private static void send(int port, String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      OutputStream out = socket.getOutputStream();
      String request =
          "GET "
              + path
              + " HTTP/1.1\r\nHost: 127.0.0.1:"
              + port
              + "\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n";
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      long unused = in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
