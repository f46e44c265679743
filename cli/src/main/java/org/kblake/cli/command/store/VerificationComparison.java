package org.kblake.cli.command.store;

import java.io.IOException;
import java.util.Map;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.error.ExitStatus;

/** Compares two reports of {@code verify}, an earlier and a later one. */
final class VerificationComparison {

  private final Map<String, Verification.Entry> before;
  private final Map<String, Verification.Entry> after;

  VerificationComparison(Verification before, Verification after) {
    this.before = before.byName();
    this.after = after.byName();
  }

  /**
   * Prints a line for each difference, and the totals.
   *
   * @return {@link ExitStatus#DONE} if all blocks of the earlier report are in the later one with
   *     the same hash, and no block of the later one is wrong
   */
  int write(Appendable out) throws IOException {
    int same = 0;
    int differ = 0;
    int gone = 0;
    int wrong = 0;
    int fresh = 0;
    for (Verification.Entry entry : before.values()) {
      Verification.Entry now = after.get(entry.name());
      if (now == null) {
        gone++;
        line(out, "gone", entry, "");
      } else if (now.result() != Verification.Result.wrong
          && !now.sha256().equals(entry.sha256())) {
        differ++;
        line(out, "differs", entry, ": sha256 " + entry.sha256() + ", now " + now.sha256());
      } else if (now.result() != Verification.Result.wrong) {
        same++;
      }
    }
    for (Verification.Entry entry : after.values()) {
      if (!before.containsKey(entry.name())) {
        fresh++;
        line(out, "new", entry, "");
      }
      if (entry.result() == Verification.Result.wrong) {
        wrong++;
        line(out, "wrong", entry, "");
      }
    }
    int bad = differ + gone + wrong;
    new NamedValues()
        .add("same", same)
        .add("differ", differ)
        .add("gone", gone)
        .add("new", fresh)
        .add("wrong", wrong)
        .add("verdict", verdict(bad, wrong))
        .write(out);
    return bad == 0 ? ExitStatus.DONE : ExitStatus.NOT_ANSWERED;
  }

  private static String verdict(int bad, int wrong) {
    if (wrong > 0) {
      return "blocks are wrong; kblake verify --discard removes them, and their logs are read instead";
    }
    return bad == 0
        ? "all blocks of the first report are unchanged"
        : "the reports differ; compact and the budget of kblake run remove blocks, too";
  }

  private static void line(Appendable out, String what, Verification.Entry entry, String more)
      throws IOException {
    out.append(what).append(' ').append(entry.name()).append(more).append(System.lineSeparator());
  }
}
