package org.kblake.cli.command.get;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.MaskQuestion;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.format.argument.TimeArgument.Bound;
import org.kblake.format.table.Gaps;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;

/**
 * The questions that the options of {@code kblake get} ask. Options that contradict are refused.
 */
final class GetQuestions {

  private final Session session;
  private final GetOptions options;

  GetQuestions(Session session, GetOptions options) {
    this.session = session;
    this.options = options;
  }

  /**
   * Returns the question of {@code --follow}.
   *
   * @throws UsageException if other options contradict it
   */
  FollowQuery followed(ChannelSelection selection, AnswerOutput target) {
    if (options.times.hasTo()
        || options.at.isGiven()
        || options.wide.isSet()
        || options.every.isGiven()
        || options.aggregate.isGiven()
        || options.dryRun.isSet()) {
      throw new UsageException(
          "--follow excludes --to, --at, --wide, --every, --aggregate and --dry-run");
    }
    if (options.coverage.isGiven() || !target.isStandardOutput() || !target.format().lines()) {
      throw new UsageException(
          "--follow writes csv, tsv or ndjson to standard output, without --coverage");
    }
    if (options.source.get() == Source.STORE) {
      throw new UsageException("--follow excludes --source store, which has no new events");
    }
    Long count = options.last.get();
    if (count != null && count < 0) {
      throw new UsageException("--last must be at least 0 with --follow: " + count);
    }
    Duration interval = options.poll.get();
    try {
      FollowQuery query =
          FollowQuery.of(selection, session.now())
              .from(range().fromNanos())
              .from(options.source.get());
      query = interval == null ? query : query.polling(interval);
      query = count == null ? query : query.last(count);
      return options.strays.isSet() ? query.includingStrays() : query;
    } catch (IllegalArgumentException e) {
      throw new UsageException("--poll must be at least 10ms", e);
    }
  }

  /**
   * Returns the question about the values held before the events of {@code --follow}; null without
   * {@code --held}.
   *
   * @throws UsageException if other options contradict it
   */
  @Nullable HeldQuery heldBefore(FollowQuery followed) {
    if (!options.withHeld.isSet()) {
      return null;
    }
    if (options.last.isGiven()) {
      throw new UsageException("--held excludes --last");
    }
    return HeldQuery.of(followed.channels(), session.now())
        .at(followed.fromNanos() - 1)
        .from(followed.source())
        .lookBack(session.settings().get(CommonSetting.LOOK_BACK))
        .allowIncomplete();
  }

  /**
   * Returns the question of {@code --at}.
   *
   * @throws UsageException if other options contradict it
   */
  HeldQuery held(ChannelSelection selection, TimeArgument instant) {
    if (options.times.hasFrom()
        || options.times.hasTo()
        || options.last.isGiven()
        || options.withHeld.isSet()
        || options.strays.isSet()
        || options.dryRun.isSet()) {
      throw new UsageException(
          "--at excludes --from, --to, --last, --held, --strays and --dry-run");
    }
    return HeldQuery.of(selection, session.now())
        .at(RangeOptions.nanos(session, instant, Bound.TO))
        .from(options.source.get())
        .lookBack(HeldQuery.UNLIMITED_LOOK_BACK)
        .allowIncomplete();
  }

  /**
   * Returns the question about a range.
   *
   * @throws UsageException if options contradict each other
   */
  EventQuery events(ChannelSelection selection) {
    EventQuery query =
        EventQuery.of(selection).between(range()).from(options.source.get()).allowIncomplete();
    Long count = options.last.get();
    if (count != null) {
      if (count < 1) {
        throw new UsageException("--last must be at least 1: " + count);
      }
      query = query.last(count);
    }
    if (options.withHeld.isSet()) {
      if (count != null || query.range().fromNanos() == Long.MIN_VALUE || options.dryRun.isSet()) {
        throw new UsageException(
            "--held needs --from, or neither --from nor --to, and excludes --last and --dry-run");
      }
      query = query.withHeld(session.settings().get(CommonSetting.LOOK_BACK));
    }
    query = options.filters.addTo(query);
    return options.strays.isSet() ? query.withStrays() : query;
  }

  /**
   * Returns the question of {@code --when}; null without it.
   *
   * @throws UsageException if other options contradict it
   */
  @Nullable MaskQuestion when() {
    if (options.when.get().isEmpty()) {
      return null;
    }
    if (options.at.isGiven()
        || options.follow.isSet()
        || options.withHeld.isSet()
        || options.last.isGiven()
        || options.dryRun.isSet()) {
      throw new UsageException("--when excludes --at, --follow, --held, --last and --dry-run");
    }
    if (range().fromNanos() == Long.MIN_VALUE) {
      throw new UsageException("--when needs --from, or neither --from nor --to: the last hour");
    }
    return new MaskQuestion(
        session, "--when", options.when.get(), options.groups.named(), true, options.source.get());
  }

  /**
   * Checks that a server can answer.
   *
   * @throws UsageException if other options contradict it
   */
  void checkServer() {
    if (options.at.isGiven()
        || options.wide.isSet()
        || options.every.isGiven()
        || options.aggregate.isGiven()
        || options.follow.isSet()
        || options.poll.isGiven()
        || options.dryRun.isSet()) {
      throw new UsageException(
          "--server answers events: it excludes --at, --wide, --every, --aggregate, --follow,"
              + " --poll and --dry-run");
    }
    if (options.noAdmit.isSet()) {
      throw new UsageException("--server excludes --no-admit: the server records its reads");
    }
  }

  /**
   * Returns the question of {@code --aggregate}.
   *
   * @throws UsageException if other options contradict it
   */
  TrendQuery bins(ChannelSelection selection, String figures) {
    Duration step = step("--aggregate");
    return TrendTableAnswer.query(selection, range(), step, figures)
        .from(options.source.get())
        .lookBack(session.settings().get(CommonSetting.LOOK_BACK));
  }

  /**
   * Returns the question of {@code --wide} without {@code --aggregate}.
   *
   * @throws UsageException if other options contradict it
   */
  GridQuery grid(ChannelSelection selection) {
    Duration step = step("--wide");
    return GridQuery.of(selection, session.now(), session.now(), step)
        .between(range())
        .from(options.source.get())
        .lookBack(session.settings().get(CommonSetting.LOOK_BACK))
        .nullInGaps(options.gaps.get() == Gaps.NULL)
        .allowIncomplete();
  }

  /** Returns the step of a table, and checks the other options. */
  private Duration step(String table) {
    Duration step = options.every.get();
    if (step == null
        || step.isNegative()
        || step.isZero()
        || !options.wide.isSet() && !options.aggregate.isGiven()) {
      throw new UsageException(
          "--wide and --every need each other; write --wide --every 60s"
              + ", or --every 1h --aggregate min,max");
    }
    if (options.at.isGiven()
        || options.last.isGiven()
        || options.withHeld.isSet()
        || options.strays.isSet()
        || options.dryRun.isSet()) {
      throw new UsageException(table + " excludes --at, --last, --held, --strays and --dry-run");
    }
    if (options.filters.isGiven()) {
      throw new UsageException(table + " excludes --where, --severity and --columns");
    }
    if (!options.times.hasFrom() && options.times.hasTo()) {
      throw new UsageException(table + " needs --from, or neither --from nor --to: the last hour");
    }
    return step;
  }

  /**
   * Checks {@code --gaps}.
   *
   * @throws UsageException if there are no cells of held values
   */
  void checkGaps() {
    if (options.gaps.isGiven() && (!options.wide.isSet() || options.aggregate.isGiven())) {
      throw new UsageException("--gaps needs --wide, and excludes --aggregate");
    }
  }

  TimeRange range() {
    return options.times.range(session, !options.last.isGiven());
  }
}
