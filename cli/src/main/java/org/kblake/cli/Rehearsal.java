package org.kblake.cli;

import java.util.List;
import org.kblake.cli.frame.RehearsalEnvironment;
import org.kblake.cli.process.ProcessEnvironment;

/**
 * Asks a small archive what people ask {@code kblake get}, so that the JVM can keep the classes
 * that takes: {@code Rehearsal ARCHIVE STORE GROUP START END RECORD}. Not for people; the launcher
 * calls it once, and has the answers thrown away.
 */
final class Rehearsal {

  private Rehearsal() {}

  /** Asks everything twice: of raw logs, and of columns where there are any. */
  public static void main(String[] args) {
    ProcessEnvironment process = ProcessEnvironment.ofProcess();
    for (ProcessEnvironment each : RehearsalEnvironment.of(process, args[0], args[1])) {
      ask(each, args);
    }
  }

  private static void ask(ProcessEnvironment environment, String[] args) {
    String group = args[2];
    String start = args[3];
    String end = args[4];
    String record = args[5];
    for (List<String> question :
        List.of(
            List.of("get", "-q", "--from", start, "--to", end, record),
            List.of("get", "--from", start, "--to", end, "-g", group, "-f", "ndjson", "*"),
            List.of("get", "--from", start, record + "X"),
            List.of("get", "--to", end, "--last", "3", record),
            List.of("get", "--from", start, "--to", end, "--wide", "--every", "60s", record))) {
      int unused = Kblake.run(environment, question.toArray(new String[0]));
    }
  }
}
