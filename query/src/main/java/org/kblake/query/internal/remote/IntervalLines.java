package org.kblake.query.internal.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.Intervals;

/**
 * Intervals as text.
 *
 * <pre>
 *   channel GROUP NAME
 *   met FROM TO
 *   known FROM TO
 *   the lines of {@link CoverageLines}
 *   end
 * </pre>
 *
 * Times are nanoseconds since 1970 UTC. Texts are URL-encoded.
 */
public final class IntervalLines {

  /** The type of the text in HTTP. */
  static final String CONTENT_TYPE = "text/plain";

  private static final String END = "end";

  private IntervalLines() {}

  /** Writes the text of an answer. */
  public static void write(Intervals intervals, Appendable text) throws IOException {
    Channel channel = intervals.channel();
    text.append("channel ");
    text.append(Words.encode(channel.group().toString())).append(' ');
    text.append(Words.encode(channel.name())).append('\n');
    append(text, "met ", intervals.met());
    append(text, "known ", intervals.known());
    text.append(CoverageLines.text(intervals.coverage())).append("\n" + END + "\n");
  }

  private static void append(Appendable text, String word, TimeMask mask) throws IOException {
    for (TimeRange range : mask.ranges()) {
      text.append(word + range.fromNanos() + ' ' + range.toNanos() + '\n');
    }
  }

  /**
   * Reads a text.
   *
   * @param in closed in any case
   * @throws RemoteException if it is not of {@link #write}, or its end is missing
   */
  static Intervals parse(InputStream in) throws IOException {
    Channel channel = null;
    List<TimeRange> met = new ArrayList<>();
    List<TimeRange> known = new ArrayList<>();
    StringBuilder coverage = new StringBuilder();
    String last = "";
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "channel" ->
              channel = new Channel(Group.parse(Words.decode(words[1])), Words.decode(words[2]));
          case "met" -> met.add(range(words));
          case "known" -> known.add(range(words));
          case END -> {
            // The last line.
          }
          default -> coverage.append(coverage.isEmpty() ? "" : "\n").append(line);
        }
        last = line;
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new RemoteException("its answer has wrong intervals: " + e.getMessage(), e);
    }
    if (channel == null || !last.equals(END)) {
      throw new RemoteException("its answer has no end mark");
    }
    return new Intervals(
        channel, TimeMask.of(met), TimeMask.of(known), CoverageLines.parse(coverage.toString()));
  }

  private static TimeRange range(String[] words) {
    return new TimeRange(Long.parseLong(words[1]), Long.parseLong(words[2]));
  }
}
