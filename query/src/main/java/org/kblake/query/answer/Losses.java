package org.kblake.query.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;

/**
 * What the recorders of an archive state that they may have lost. No span does not prove that
 * nothing was lost.
 *
 * @param hasLedger whether the archive has a ledger of losses
 * @param spans the spans, by group, then by begin
 * @param notes one line each: statements that cannot be read, and similar
 */
public record Losses(boolean hasLedger, List<LossySpan> spans, List<String> notes) {

  /** The losses of an archive without a ledger. */
  public static final Losses NONE = new Losses(false, List.of(), List.of());

  private static final int FEW_GROUPS = 3;

  public Losses {
    spans = List.copyOf(spans);
    notes = List.copyOf(notes);
  }

  /** Returns the losses of both, each once. */
  public Losses and(Losses other) {
    Set<LossySpan> all = new LinkedHashSet<>(spans);
    all.addAll(other.spans);
    List<LossySpan> sorted = new ArrayList<>(all);
    sorted.sort(
        Comparator.comparing(LossySpan::group)
            .thenComparingLong(span -> span.range().fromNanos())
            .thenComparingLong(span -> span.range().toNanos()));
    Set<String> lines = new LinkedHashSet<>(notes);
    lines.addAll(other.notes);
    return new Losses(hasLedger || other.hasLedger, sorted, List.copyOf(lines));
  }

  /** Returns the notes, and the line on all spans if there is any. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(notes);
    String summary = summary();
    if (summary != null) {
      lines.add(summary);
    }
    return lines;
  }

  /** Returns one line on all spans; null if there is none. */
  public @Nullable String summary() {
    if (spans.isEmpty()) {
      return null;
    }
    Set<Group> groups = new LinkedHashSet<>();
    Map<String, Integer> reasons = new LinkedHashMap<>();
    String usual = spans.get(0).reason();
    double events = 0;
    for (LossySpan span : spans) {
      groups.add(span.group());
      events += Math.max(0, span.count());
      int spansOfReason = reasons.merge(span.reason(), 1, Integer::sum);
      if (spansOfReason > reasons.getOrDefault(usual, 0)) {
        usual = span.reason();
      }
    }
    StringBuilder line = new StringBuilder("possibly lossy: ").append(count(spans.size(), "span"));
    line.append(" of ").append(named(List.copyOf(groups)));
    if (events > 0) {
      line.append(", at least ").append(count(events, "event"));
    }
    return line.append(reasons.size() == 1 ? ", " : ", mostly ").append(usual).toString();
  }

  private static String count(double number, String what) {
    return "%.0f %s%s".formatted(number, what, number == 1 ? "" : "s");
  }

  private static String named(List<Group> groups) {
    int shown = groups.size() > FEW_GROUPS + 1 ? FEW_GROUPS : groups.size();
    StringBuilder names = new StringBuilder(groups.get(0).toString());
    groups.subList(1, shown).forEach(group -> names.append(", ").append(group));
    return groups.size() == shown
        ? names.toString()
        : names + " and " + (groups.size() - shown) + " more groups";
  }
}
