package org.kblake.cli.kblogrd;

import java.util.List;
import org.kblake.cli.frame.RehearsalEnvironment;
import org.kblake.cli.process.ProcessEnvironment;

/**
 * Asks a small archive what programs ask kblogrd, so that the JVM can keep the classes that takes:
 * {@code Rehearsal ARCHIVE STORE GROUP START END RECORD}. Not for people; the launcher calls it
 * once, and has the answers thrown away.
 */
final class Rehearsal {

  private Rehearsal() {}

  /** Asks everything twice: of raw logs, and of columns where there are any. */
  public static void main(String[] args) {
    ProcessEnvironment process = ProcessEnvironment.ofProcess();
    Kblogrd.stoppable(process);
    for (ProcessEnvironment each : RehearsalEnvironment.of(process, args[0], args[1])) {
      ask(each, args);
    }
  }

  private static void ask(ProcessEnvironment environment, String[] args) {
    String group = args[2];
    String start = args[3];
    String range = start + "-" + args[4];
    String record = args[5];
    String unknown = record + "X";
    for (List<String> question :
        List.of(
            List.of("-r", record, "-t", range, group),
            List.of("-t", range, group),
            List.of("-t", range + "d60", group),
            List.of("-r", record, "-t", start, group),
            List.of("-f", "kaleida", "-t", range, group),
            List.of("-f", "kaleida", "-t", range + "d60", group),
            List.of("-f", "sad", "-r", record + "-", "-t", range, group),
            List.of("-f", "csv", "-t", range, group),
            List.of(group),
            List.of("-r", unknown, "-t", range, group),
            List.of("-t", "now", group),
            List.of(group + "X"))) {
      Kblogrd.run(environment, question.toArray(new String[0]));
    }
  }
}
