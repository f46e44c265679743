package org.kblake.cli.command.status;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.kblake.cli.check.Severity;
import org.kblake.cli.doctor.Diagnosis;

/** Results of examinations as lines of at most 80 columns, if no path is longer than a line. */
final class DiagnosisText {

  private static final int WIDTH = 80;
  private static final int SUBJECT_WIDTH = 9;
  private static final int SEVERITY_WIDTH = 9;
  private static final String INDENT = " ".repeat(SUBJECT_WIDTH + SEVERITY_WIDTH);
  private static final String ADVICE = "-> ";

  private DiagnosisText() {}

  /** Returns the lines of a result, each with its end. */
  static String of(Diagnosis diagnosis, boolean colored) {
    String name = name(diagnosis.severity());
    String shown = colored ? SeverityColor.of(diagnosis.severity()).of(name) : name;
    String head =
        String.format("%-" + SUBJECT_WIDTH + "s", diagnosis.subject())
            + shown
            + " ".repeat(SEVERITY_WIDTH - name.length());
    StringBuilder text = new StringBuilder(head);
    text.append(String.join("\n" + INDENT, wrapped(diagnosis.found(), 0))).append('\n');
    if (diagnosis.advice() != null) {
      String further = "\n" + INDENT + " ".repeat(ADVICE.length());
      text.append(INDENT)
          .append(ADVICE)
          .append(String.join(further, wrapped(diagnosis.advice(), ADVICE.length())))
          .append('\n');
    }
    return text.toString();
  }

  private static String name(Severity severity) {
    return switch (severity) {
      case OK -> "ok";
      case UNKNOWN -> "unknown";
      case WARNING -> "warning";
      case CRITICAL -> "problem";
    };
  }

  private static List<String> wrapped(String text, int used) {
    int width = WIDTH - INDENT.length() - used;
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (line.length() > 0 && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Returns the verdict in a sentence. */
  static String verdict(List<Diagnosis> all) {
    List<String> problems = subjects(all, Severity.CRITICAL);
    List<String> warnings = subjects(all, Severity.WARNING);
    if (!problems.isEmpty()) {
      return "Correct %s first: %s."
          .formatted(
              problems.size() == 1 ? "this problem" : "these problems",
              String.join(", ", problems));
    }
    return warnings.isEmpty()
        ? "kblake can work here."
        : "kblake can work here, with warnings: " + String.join(", ", warnings) + ".";
  }

  private static List<String> subjects(List<Diagnosis> all, Severity severity) {
    return all.stream()
        .filter(diagnosis -> diagnosis.severity() == severity)
        .map(Diagnosis::subject)
        .distinct()
        .collect(Collectors.toList());
  }
}
