package org.kblake.cli.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.DurationArgument;

/** The rules of the checks of all kinds. */
public final class Check {

  /** With less free space no block can be written. */
  private static final long FULL_BELOW_BYTES = 256L << 20;

  private static final double ALL = 100;

  /** The number of groups without recent events that a finding names. */
  private static final int NAMED_GROUPS = 3;

  private Check() {}

  /** Checks one kind. The severity is {@link Severity#UNKNOWN} if its figure is unknown. */
  public static Finding of(CheckKind kind, Thresholds thresholds, Health health) {
    return switch (kind) {
      case PROCESS -> process(health);
      case STALE -> stale(thresholds, health.ages());
      case LAG -> lag(thresholds, health);
      case COVERAGE ->
          health.coverage() == null && health.firstProblem() != null
              ? new Finding(Severity.UNKNOWN, kind + " is not known: " + health.firstProblem(), "")
              : share(kind, thresholds, health.coverage());
      case DISK -> disk(thresholds, health);
      case SCRUB -> {
        Long age = health.scrubAgeSeconds();
        yield age == null
            ? unknown(kind)
            : number(
                thresholds, age, "oldest check of a block " + DurationArgument.about(age) + " ago");
      }
      case HIT_RATIO -> share(kind, thresholds, health.hitRatio());
    };
  }

  private static Finding process(Health health) {
    int problems = health.problems();
    if (health.process() != null) {
      String also = problems == 0 ? "" : "; " + problems(health);
      return new Finding(Severity.CRITICAL, health.process() + also, "");
    }
    return problems == 0
        ? new Finding(Severity.OK, "process runs", "problems=0;0;;0")
        : new Finding(Severity.WARNING, problems(health), "problems=" + problems + ";0;;0");
  }

  private static String problems(Health health) {
    return health.problems()
        + (health.problems() == 1 ? " problem: " : " problems, the first: ")
        + health.firstProblem();
  }

  private static Finding lag(Thresholds thresholds, Health health) {
    Long lag = health.lagSeconds();
    return lag == null
        ? unknown(CheckKind.LAG)
        : number(
            thresholds,
            lag,
            "lag "
                + DurationArgument.about(lag)
                + (health.worstGroup() == null ? "" : " (" + health.worstGroup() + ")"));
  }

  private record Judged(GroupAge age, long seconds, Severity severity) {
    @Override
    public String toString() {
      return age.group() + " for " + DurationArgument.about(seconds);
    }
  }

  private static Finding stale(Thresholds ofAll, List<GroupAge> ages) {
    List<Judged> judged = new ArrayList<>();
    GroupAge away = null;
    for (GroupAge age : ages) {
      Long seconds = age.seconds();
      if (seconds == null) {
        away = age;
      } else {
        judged.add(new Judged(age, seconds, age.thresholds(ofAll).of(seconds)));
      }
    }
    judged.sort(
        Comparator.comparing(Judged::severity).thenComparingLong(Judged::seconds).reversed());
    Judged worst = judged.isEmpty() ? null : judged.get(0);
    boolean good = worst == null || worst.severity() == Severity.OK;
    if (worst == null || good && away != null) {
      return away == null
          ? unknown(CheckKind.STALE)
          : new Finding(
              Severity.UNKNOWN,
              CheckKind.STALE + " is not known: group is away: " + away.group(),
              "");
    }
    String performance = worst.age().thresholds(ofAll).performance((double) worst.seconds());
    if (good) {
      String oldest = DurationArgument.about(worst.seconds()) + " (" + worst.age().group() + ")";
      return new Finding(Severity.OK, "newest event of each group within " + oldest, performance);
    }
    judged.removeIf(each -> each.severity() == Severity.OK);
    StringJoiner text = new StringJoiner(", ", "no event in ", "");
    judged.stream().limit(NAMED_GROUPS).forEach(each -> text.add(each.toString()));
    if (judged.size() > NAMED_GROUPS) {
      text.add(judged.size() - NAMED_GROUPS + " more");
    }
    return new Finding(worst.severity(), text.toString(), performance);
  }

  private static Finding disk(Thresholds thresholds, Health health) {
    Double days = health.daysUntilFull();
    Long free = health.freeBytes();
    if (days == null || free == null) {
      return unknown(CheckKind.DISK);
    }
    String room = new ByteSize(free) + " free";
    String performance = " free=" + free + "B;;;0";
    if (free < FULL_BELOW_BYTES) {
      return new Finding(Severity.CRITICAL, "disk is full, " + room, performance.strip());
    }
    if (days.isInfinite()) {
      return new Finding(Severity.OK, "disk " + room, performance.strip());
    }
    Finding finding =
        number(
            thresholds, days, String.format(Locale.ROOT, "disk full in %.0f days, %s", days, room));
    return new Finding(finding.severity(), finding.text(), finding.performance() + performance);
  }

  private static Finding share(CheckKind kind, Thresholds thresholds, @Nullable Double share) {
    if (share == null) {
      return unknown(kind);
    }
    double percent = Math.floor(share * ALL * ALL) / ALL;
    return number(
        thresholds, percent, kind + " " + String.format(Locale.ROOT, "%.2f", percent) + "%");
  }

  private static Finding number(Thresholds thresholds, double number, String text) {
    return new Finding(thresholds.of(number), text, thresholds.performance(number));
  }

  private static Finding unknown(CheckKind kind) {
    return new Finding(Severity.UNKNOWN, kind + " is not known", "");
  }
}
