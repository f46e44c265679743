package org.kblake.core.internal.log.inspect;

import java.util.List;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.ValueType;

/**
 * Receives the contents that {@link Inspection} finds, in the order of the bytes. Texts from files
 * are not escaped. They may have any character.
 */
public interface InspectionListener {

  /** Begins what follows about a pair's: header, records, milestones, events. */
  void heading(String title);

  /** Begins a structure. The following fields belong to it. */
  void structure(String title);

  /**
   * Takes a fact. Directly behind a heading it concerns the file, otherwise the fields before it.
   */
  void fact(String name, String text);

  /** Takes the time that the fields before it state. */
  void time(String name, long nanos);

  /** Takes the time that the fields before it state, or {@code never}, or {@code impossible}. */
  default void timeOrNot(String name, long nanos) {
    if (nanos == LogLayout.NEVER_NANOS) {
      fact(name, "never");
    } else if (nanos == LogLayout.IMPOSSIBLE_NANOS) {
      fact(name, "impossible");
    } else {
      time(name, nanos);
    }
  }

  /**
   * Takes a field beside its bytes.
   *
   * @param text the value of the field; empty for bytes without a meaning
   */
  void field(ShownBytes bytes, String name, String text);

  /**
   * Takes the value of an event, or of a record in a milestone.
   *
   * @param count the number of its elements
   * @param first its first elements: each a Double, Float, Long or String
   */
  void value(ShownBytes bytes, ValueType type, long count, List<?> first);

  /** Ends a listing, of which {@code shown} of {@code all} were listed. */
  void counted(String what, long shown, long all);

  /** Takes a line about something that is not damage. */
  void note(String line);

  /** Takes a line about damage: what and where, found and expected. */
  void damage(String line);
}
