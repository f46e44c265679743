package org.kblake.cli.check;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What came of looking at one thing.
 *
 * @param severity how bad it is
 * @param text a few words
 * @param performance what Nagios keeps of it, {@code lag=720s;3600;7200;0}; may be empty
 */
public record Finding(Severity severity, String text, String performance) {

  /** The line that Nagios reads: the worst things first, then numbers behind a bar. */
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
    // A bar in the text would begin the numbers.
    return "KBLAKE "
        + worst(findings)
        + " - "
        + texts.replace('|', '/').replaceAll("\\s*\\R\\s*", " ")
        + (numbers.isEmpty() ? "" : " | " + numbers);
  }

  /** The worst of them. */
  public static Severity worst(List<Finding> findings) {
    return findings.stream().map(Finding::severity).reduce(Severity.OK, Severity::worse);
  }
}
