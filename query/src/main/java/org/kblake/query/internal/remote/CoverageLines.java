package org.kblake.query.internal.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.LossySpan;
import org.kblake.query.answer.SpanKind;

/**
 * A coverage report as text.
 *
 * <pre>
 *   report FROM TO STRAYS BACKWARD-STEPS
 *   note TEXT
 *   span GROUP KIND FROM TO FILE BYTES MISSING DETAIL ABSENT...
 *   ledger
 *   lossy GROUP FROM TO COUNT REASON
 * </pre>
 *
 * Times are nanoseconds since 1970 UTC. Texts are URL-encoded. A span without a file has {@code ~}.
 * The last two are of archives with a ledger of losses.
 */
public final class CoverageLines {

  private static final String NO_FILE = "~";
  private static final int ABSENT = 9;

  private CoverageLines() {}

  /** Returns the text of a report. */
  public static String text(CoverageReport report) {
    StringJoiner lines = new StringJoiner("\n");
    lines.add(
        words("report", report.range())
            .add(Long.toString(report.strays()))
            .add(Long.toString(report.backwardSteps()))
            .toString());
    for (String note : report.notes()) {
      lines.add("note " + Words.encode(note));
    }
    for (CoverageSpan span : report.spans()) {
      Path file = span.file();
      StringJoiner line =
          words(
                  "span " + Words.encode(span.group().toString()) + " " + span.kind().name(),
                  span.range())
              .add(file == null ? NO_FILE : Words.encode(file.toString()))
              .add(Long.toString(span.bytes()))
              .add(Boolean.toString(span.missing()))
              .add(Words.encode(span.detail()));
      span.absent().forEach(name -> line.add(Words.encode(name)));
      lines.add(line.toString());
    }
    if (report.losses().hasLedger()) {
      lines.add("ledger");
    }
    for (LossySpan span : report.losses().spans()) {
      lines.add(
          words("lossy " + Words.encode(span.group().toString()), span.range())
              .add(Long.toString(span.count()))
              .add(Words.encode(span.reason()))
              .toString());
    }
    return lines.toString();
  }

  private static StringJoiner words(String begin, TimeRange range) {
    return new StringJoiner(" ")
        .add(begin)
        .add(Long.toString(range.fromNanos()))
        .add(Long.toString(range.toNanos()));
  }

  /**
   * @throws RemoteException if the text is not of {@link #text}
   */
  public static CoverageReport parse(String text) throws RemoteException {
    try {
      String[] lines = text.split("\n", -1);
      String[] first = lines[0].split(" ", -1);
      List<String> notes = new ArrayList<>();
      List<CoverageSpan> spans = new ArrayList<>();
      List<LossySpan> lossy = new ArrayList<>();
      boolean hasLedger = false;
      for (String line : lines) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "note" -> notes.add(Words.decode(words[1]));
          case "span" -> spans.add(span(words));
          case "ledger" -> hasLedger = true;
          case "lossy" -> lossy.add(lossy(words));
          default -> {
            // The first line, or one of a later version.
          }
        }
      }
      return new CoverageReport(
          range(first, 1),
          spans,
          Long.parseLong(first[3]),
          Long.parseLong(first[4]),
          notes,
          new Losses(hasLedger, lossy, List.of()));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new RemoteException("its answer has a wrong coverage: " + e.getMessage(), e);
    }
  }

  private static CoverageSpan span(String[] words) {
    List<String> absent = new ArrayList<>();
    for (int i = ABSENT; i < words.length; i++) {
      absent.add(Words.decode(words[i]));
    }
    return new CoverageSpan(
        Group.parse(Words.decode(words[1])),
        SpanKind.valueOf(words[2]),
        range(words, 3),
        words[5].equals(NO_FILE) ? null : Path.of(Words.decode(words[5])),
        Long.parseLong(words[6]),
        Boolean.parseBoolean(words[7]),
        Words.decode(words[8]),
        absent);
  }

  private static LossySpan lossy(String[] words) {
    return new LossySpan(
        Group.parse(Words.decode(words[1])),
        range(words, 2),
        Long.parseLong(words[4]),
        Words.decode(words[5]));
  }

  private static TimeRange range(String[] words, int at) {
    return new TimeRange(Long.parseLong(words[at]), Long.parseLong(words[at + 1]));
  }
}
