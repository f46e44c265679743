package org.kblake.cli.check;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of one check.
 *
 * @param severity the severity
 * @param text the result in a few words
 * @param performance the performance data for Nagios, such as {@code lag=720s;3600;7200;0}; may be
 *     empty
 */
public record Finding(Severity severity, String text, String performance) {

  /**
   * Returns the line for Nagios: the texts with the worst first, then a bar and the performance
   * data.
   */
  public static String line(List<Finding> findings) {
    String texts =
        findings.stream()
            .sorted(Comparator.comparing(Finding::severity).reversed())
            .map(Finding::text)
            .collect(Collectors.joining(", "));
    String numbers =
        findings.stream()
            .map(Finding::performance)
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(" "));
    // Nagios reads performance data after the first bar
    return "KBLAKE "
        + worst(findings)
        + " - "
        + texts.replace('|', '/').replaceAll("\\s*\\R\\s*", " ")
        + (numbers.isEmpty() ? "" : " | " + numbers);
  }

  /** Returns the worst severity. */
  public static Severity worst(List<Finding> findings) {
    return findings.stream().map(Finding::severity).reduce(Severity.OK, Severity::worse);
  }
}
