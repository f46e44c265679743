package org.kblake.benchmarks.paper;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.cli.kblogrd.Kblogrd;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;

/**
 * Requests of {@code kblogrd} for the raw log of one channel, as text: the program's classes from
 * its arguments to its lines. Several requests at once share the period.
 */
final class KblogrdRequests {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss").withZone(ZONE);

  private final Path archive;
  private final String channel;
  private final long fromSeconds;
  private final long toSeconds;

  /**
   * @param archive its whole period is requested
   */
  KblogrdRequests(Path archive, String channel) throws IOException {
    this.archive = archive;
    this.channel = channel;
    List<Pair> pairs =
        Archive.open(archive, ArchiveSettings.defaults().withZone(ZONE)).pairs(BenchmarkData.RF);
    fromSeconds = TimeUnit.NANOSECONDS.toSeconds(pairs.get(0).beginNanos());
    // The last pair is as long as the first.
    long lastSeconds = TimeUnit.NANOSECONDS.toSeconds(pairs.get(pairs.size() - 1).beginNanos());
    toSeconds = lastSeconds + TimeUnit.NANOSECONDS.toSeconds(pairs.get(0).endNanos()) - fromSeconds;
  }

  /** Carries out requests at once, each for a part of the period. Returns the bytes of text. */
  long run(int requests) throws IOException, InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(requests);
    try {
      List<Future<Long>> answers = new ArrayList<>();
      for (int request = 0; request < requests; request++) {
        String times = time(request, requests, 0) + "-" + time(request + 1, requests, 1);
        answers.add(executor.submit(() -> request(times)));
      }
      long bytes = 0;
      for (Future<Long> answer : answers) {
        bytes += answer.get();
      }
      return bytes;
    } catch (ExecutionException e) {
      throw new IOException("request failed", e);
    } finally {
      executor.shutdownNow();
    }
  }

  private String time(int number, int count, int earlier) {
    long seconds = fromSeconds + (toSeconds - fromSeconds) * number / count - earlier;
    return TIME.format(Instant.ofEpochSecond(seconds));
  }

  private long request(String times) throws IOException {
    long[] bytes = {0};
    OutputStream counting =
        new OutputStream() {
          @Override
          public void write(int one) {
            bytes[0]++;
          }

          @Override
          public void write(byte[] text, int from, int count) {
            bytes[0] += count;
          }
        };
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    ProcessEnvironment environment =
        new ProcessEnvironment(
            InputStream.nullInputStream(),
            counting,
            new PrintStream(messages, true, StandardCharsets.UTF_8),
            Map.of("KBLAKE_ARCHIVE", archive.toString(), "KBLAKE_ZONE", ZONE.getId()),
            archive,
            Clock.systemUTC(),
            false,
            false);
    int status =
        Kblogrd.run(
            environment, "-r", channel, "-t", times, "-f", "free", BenchmarkData.RF.toString());
    if (status != 0 || bytes[0] == 0) {
      throw new IOException(
          "kblogrd: status=" + status + ", " + messages.toString(StandardCharsets.UTF_8).strip());
    }
    return bytes[0];
  }
}
