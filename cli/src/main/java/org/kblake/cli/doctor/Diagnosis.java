package org.kblake.cli.doctor;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Severity;

/**
 * The result of one examination.
 *
 * @param subject what was examined, in one word
 * @param severity the severity; {@link Severity#CRITICAL} is a problem
 * @param found what was found
 * @param advice what to do; null for nothing
 */
public record Diagnosis(String subject, Severity severity, String found, @Nullable String advice) {

  /** Returns a result without a fault. */
  public static Diagnosis ok(String subject, String found) {
    return new Diagnosis(subject, Severity.OK, found, null);
  }

  /** Returns a result without a fault, with advice. */
  public static Diagnosis ok(String subject, String found, String advice) {
    return new Diagnosis(subject, Severity.OK, found, advice);
  }

  /** Returns that something could not be found out. */
  public static Diagnosis unknown(String subject, String found) {
    return new Diagnosis(subject, Severity.UNKNOWN, found, null);
  }

  /** Returns a result that needs attention. */
  public static Diagnosis warning(String subject, String found, String advice) {
    return new Diagnosis(subject, Severity.WARNING, found, advice);
  }

  /** Returns a result that prevents work. */
  public static Diagnosis problem(String subject, String found, String advice) {
    return new Diagnosis(subject, Severity.CRITICAL, found, advice);
  }
}
