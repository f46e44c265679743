package org.kblake.query.question;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/**
 * A comparison of a value with a number, such as {@code > 500}. Comparisons are those of
 * floating-point numbers: NaN is unequal to every number. Texts and waveforms meet no condition.
 *
 * <p>A float is compared with the number as a float, so that 0.1 is the number that is written as
 * 0.1. A number that is too large or too small for a float stays a double.
 */
public final class ValueCondition {

  private enum Relation {
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    EQUAL("=="),
    NOT_EQUAL("!=");

    private final String sign;

    Relation(String sign) {
      this.sign = sign;
    }

    static Relation of(String sign) {
      for (Relation relation : values()) {
        if (relation.sign.equals(sign) || relation == EQUAL && sign.equals("=")) {
          return relation;
        }
      }
      throw new IllegalArgumentException("no relation: " + sign);
    }

    boolean holds(double value, double number) {
      return switch (this) {
        case LESS -> value < number;
        case LESS_OR_EQUAL -> value <= number;
        case GREATER -> value > number;
        case GREATER_OR_EQUAL -> value >= number;
        case EQUAL -> value == number;
        case NOT_EQUAL -> value != number;
      };
    }
  }

  private final Relation relation;
  private final double number;
  private final double numberOfFloats;

  private ValueCondition(Relation relation, double number) {
    this.relation = relation;
    this.number = number;
    float narrowed = (float) number;
    boolean fits = Float.isFinite(narrowed) && (narrowed != 0 || number == 0);
    numberOfFloats = fits ? narrowed : number;
  }

  /**
   * Returns a condition.
   *
   * @param relation one of {@code < <= > >= == = !=}
   * @throws IllegalArgumentException if it is another text
   */
  public static ValueCondition of(String relation, double number) {
    return new ValueCondition(Relation.of(relation), number);
  }

  /** Returns whether a row has a number that meets the condition. */
  public boolean isMet(EventColumns events, int row) {
    if (events.state[row] != EventState.VALUE_CODE || events.waveform()) {
      return false;
    }
    return switch (events.type()) {
      case DOUBLE -> relation.holds(Double.longBitsToDouble(events.values[row]), number);
      case FLOAT -> relation.holds(Float.intBitsToFloat((int) events.values[row]), numberOfFloats);
      case SHORT, ENUM, CHAR, LONG -> relation.holds((double) events.values[row], number);
      case STRING -> false;
    };
  }

  /** Returns the relation and the number, such as {@code > 500.0}. */
  @Override
  public String toString() {
    return relation.sign + " " + number;
  }
}
