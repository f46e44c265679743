package org.kblake.query.answer;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * The coverage of an answer. For every group of the answer the spans adjoin and divide the whole
 * range. It is the same for raw logs and for columns.
 *
 * @param range the range of the question
 * @param spans the spans, by group, then by time
 * @param strays number of events whose time is outside of their segment's span, in the segments
 *     that were read, of any channel of the group; the answer has them only if the question
 *     includes strays
 * @param backwardSteps number of milestones whose time is earlier than that of the previous
 *     milestone
 * @param notes one line each: blocks that could not be used, logs cut at their end, and similar
 * @param losses what recorders may have lost, beside the spans; none if it was not asked for
 */
public record CoverageReport(
    TimeRange range,
    List<CoverageSpan> spans,
    long strays,
    long backwardSteps,
    List<String> notes,
    Losses losses) {

  /** The begin of the notes about values that are older than the look-back. */
  public static final String LOOK_BACK_ENDED = "look-back ended at ";

  public CoverageReport {
    spans = List.copyOf(spans);
    notes = List.copyOf(notes);
  }

  /** Creates a report without losses. */
  public CoverageReport(
      TimeRange range,
      List<CoverageSpan> spans,
      long strays,
      long backwardSteps,
      List<String> notes) {
    this(range, spans, strays, backwardSteps, notes, Losses.NONE);
  }

  /** Returns whether no event of the range can be missing from the answer. */
  public boolean isComplete() {
    return missing().isEmpty();
  }

  /** Returns the notes that the look-back ended without a value of some channels. */
  public List<String> lookBackNotes() {
    return notes.stream().filter(note -> note.startsWith(LOOK_BACK_ENDED)).toList();
  }

  /** Returns the spans of which events may be missing. */
  public List<CoverageSpan> missing() {
    List<CoverageSpan> missing = new ArrayList<>();
    for (CoverageSpan span : spans) {
      if (span.missing()) {
        missing.add(span);
      }
    }
    return missing;
  }

  /** Returns this coverage with further missing spans behind the others. */
  public CoverageReport withMissing(List<CoverageSpan> more) {
    if (more.isEmpty()) {
      return this;
    }
    Set<CoverageSpan> all = new LinkedHashSet<>(spans);
    return all.addAll(more)
        ? new CoverageReport(range, List.copyOf(all), strays, backwardSteps, notes, losses)
        : this;
  }

  /** Returns this coverage with further notes behind the others. */
  public CoverageReport withNotes(List<String> more) {
    Set<String> all = new LinkedHashSet<>(notes);
    return all.addAll(more)
        ? new CoverageReport(range, spans, strays, backwardSteps, List.copyOf(all), losses)
        : this;
  }

  /** Returns the groups of the spans, in their order. */
  public Set<Group> groups() {
    Set<Group> groups = new LinkedHashSet<>();
    for (CoverageSpan span : spans) {
      groups.add(span.group());
    }
    return groups;
  }

  /** Returns this coverage with losses, and their notes behind the others. */
  public CoverageReport with(Losses found) {
    return new CoverageReport(range, spans, strays, backwardSteps, notes, found)
        .withNotes(found.notes());
  }
}
