package org.kblake.core.internal.log.inspect;

import java.util.List;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.ValueType;

/**
 * Receives what {@link Inspection} finds, in the order of the bytes. Texts come out of files as
 * they are there: they may hold any character.
 */
public interface InspectionListener {

  /** A part of the pair begins: header, records, milestones, events. */
  void part(String title);

  /** A structure begins; the fields that follow are its own. */
  void structure(String title);

  /** Right behind a part's title: what is known of the file. Else: what the fields before mean. */
  void fact(String name, String text);

  /** A time that the fields before it say. */
  void time(String name, long nanos);

  /** A time that the fields before it say; or {@code never}, or {@code impossible}. */
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
   * A field beside its bytes.
   *
   * @param text what it says; empty where bytes mean nothing
   */
  void field(ShownBytes bytes, String name, String text);

  /**
   * The value of an event, or of a record in a milestone.
   *
   * @param count how many elements it has
   * @param first the first of them: each a Double, Float, Long or String
   */
  void value(ShownBytes bytes, ValueType type, long count, List<?> first);

  /** The listing of a part ends, though there may be more: {@code shown} of {@code all}. */
  void counted(String what, long shown, long all);

  /** Something that is no damage, in a line. */
  void note(String line);

  /** Something that is not as it should be: what and where, what was found and expected. */
  void damage(String line);
}
