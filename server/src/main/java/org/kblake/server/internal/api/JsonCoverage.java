package org.kblake.server.internal.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.LossySpan;
import org.kblake.server.internal.http.PublicText;

/** Writes the coverage of an answer. */
public final class JsonCoverage {

  private JsonCoverage() {}

  /** Returns the reason why an answer is incomplete; null if it is complete. */
  public static @Nullable String missing(CoverageReport coverage) {
    List<CoverageSpan> missing = coverage.missing();
    return missing.isEmpty()
        ? null
        : PublicText.of(missing.get(0).toString())
            + (missing.size() == 1 ? "" : "; and " + (missing.size() - 1) + " other spans");
  }

  /**
   * Writes the last members of an answer: where a look-back ended, why it is incomplete, and
   * whether it is complete.
   */
  static void writeEnd(JsonAnswer json, CoverageReport coverage) throws IOException {
    writeNotes(json, withSummary(coverage.lookBackNotes(), coverage.losses()));
    String missing = missing(coverage);
    json.name("missing");
    if (missing == null) {
      json.nothing();
    } else {
      json.text(missing);
    }
    json.name("complete").bool(missing == null);
  }

  /** Writes notes, one text each. */
  public static void writeNotes(JsonAnswer json, Collection<String> notes) throws IOException {
    json.name("notes")
        .array(
            out -> {
              for (String note : notes) {
                out.text(PublicText.of(note));
              }
            });
  }

  /** Writes the spans in which events may be lost, if the archive has a ledger of losses. */
  public static void writeLossy(JsonAnswer json, Losses losses) throws IOException {
    if (losses.hasLedger()) {
      json.name("lossy").array(out -> write(out, losses.spans()));
    }
  }

  private static void write(JsonAnswer json, List<LossySpan> spans) throws IOException {
    for (LossySpan span : spans) {
      json.object(
          out -> {
            out.name("group").text(span.group().toString());
            out.name("from").time(span.range().fromNanos());
            out.name("to").time(span.range().toNanos());
            out.name("count");
            if (span.isCounted()) {
              out.integer(span.count());
            } else {
              out.nothing();
            }
            out.name("reason").text(span.reason());
          });
    }
  }

  /** Returns notes, and a line on all spans in which events may be lost. */
  public static Collection<String> withSummary(Collection<String> notes, Losses losses) {
    Set<String> all = new LinkedHashSet<>(notes);
    all.addAll(losses.lines());
    return all;
  }

  /** Writes the spans of each group. */
  static void write(JsonAnswer json, CoverageReport coverage) throws IOException {
    Map<Group, List<CoverageSpan>> groups = new TreeMap<>();
    for (CoverageSpan span : coverage.spans()) {
      groups.computeIfAbsent(span.group(), group -> new ArrayList<>()).add(span);
    }
    write(json, groups);
  }

  /** Writes the spans of each group. */
  public static void write(JsonAnswer json, Map<Group, ? extends Collection<CoverageSpan>> groups)
      throws IOException {
    for (Map.Entry<Group, ? extends Collection<CoverageSpan>> group : groups.entrySet()) {
      json.object(
          out -> {
            out.name("group").text(group.getKey().toString());
            out.name("spans").array(spans -> write(spans, group.getValue()));
          });
    }
  }

  private static void write(JsonAnswer json, Collection<CoverageSpan> spans) throws IOException {
    for (CoverageSpan span : spans) {
      json.object(
          out -> {
            out.name("from").time(span.range().fromNanos());
            out.name("to").time(span.range().toNanos());
            out.name("state").text(span.kind().text().replace(' ', '-'));
            out.name("missing").bool(span.missing());
            out.name("reason");
            if (span.detail().isEmpty()) {
              out.nothing();
            } else {
              out.text(PublicText.of(span.detail()));
            }
            if (!span.absent().isEmpty()) {
              out.name("absent")
                  .array(
                      names -> {
                        for (String name : span.absent()) {
                          names.text(name);
                        }
                      });
            }
          });
    }
  }
}
