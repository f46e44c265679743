package org.kblake.cli.kblogrd;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.cli.frame.Surroundings;

/**
 * Asks a small archive what programs ask kblogrd, so that the JVM can keep the classes that takes:
 * {@code Rehearsal ARCHIVE STORE GROUP START END RECORD}. Not for people; the launcher calls it
 * once, and has the answers thrown away.
 */
final class Rehearsal {

  private Rehearsal() {}

  /** Asks everything twice: of raw logs, and of columns where there are any. */
  public static void main(String[] args) {
    Surroundings process = Surroundings.ofProcess();
    Kblogrd.stoppable(process);
    Map<String, String> variables = new HashMap<>(process.variables());
    variables.put("KBLAKE_ARCHIVE", args[0]);
    variables.put("KBLAKE_CONFIG", "");
    variables.remove("KBLAKE_ZONE");
    variables.remove("KBLAKE_STORE");
    ask(process, variables, args);
    variables.put("KBLAKE_STORE", args[1]);
    ask(process, variables, args);
  }

  private static void ask(Surroundings process, Map<String, String> variables, String[] args) {
    Surroundings surroundings =
        new Surroundings(
            process.in(),
            process.out(),
            process.err(),
            variables,
            Path.of(args[0]),
            process.clock(),
            false,
            false);
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
      Kblogrd.run(surroundings, question.toArray(new String[0]));
    }
  }
}
