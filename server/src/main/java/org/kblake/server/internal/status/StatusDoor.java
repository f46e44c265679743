package org.kblake.server.internal.status;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Scope;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.api.JsonAnswer;
import org.kblake.server.internal.api.JsonCoverage;
import org.kblake.server.internal.api.Parameters;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.Door;
import org.kblake.server.internal.http.HttpStatusException;

/** {@code /api/v1/status} and {@code /api/v1/coverage}. */
public final class StatusDoor implements Door {

  private final ServedArchive archive;

  public StatusDoor(ServedArchive archive) {
    this.archive = archive;
  }

  @Override
  public String name() {
    return "status";
  }

  @Override
  public void addTo(RoutesConfig routes) {
    routes.get("/api/v1/status", this::status);
    routes.get("/api/v1/coverage", this::coverage);
  }

  private void status(Context context) throws IOException {
    Instant now = archive.now();
    RunFile run = RunFile.read(archive.reader().storeDirectory());
    String state = run.state(now);
    boolean isRunning = "running".equals(state);
    List<GroupHealth> groups = new ArrayList<>();
    for (Group group : archive.reader().groups()) {
      Interruption.check();
      groups.add(GroupHealth.of(archive.reader(), group, run, isRunning));
    }
    groups.sort(GroupHealth.WORST);
    List<String> problems = new ArrayList<>(isRunning ? run.problems() : List.of());
    problems.removeIf(
        problem -> groups.stream().anyMatch(each -> each.problems().contains(problem)));
    String unread = run.problem();
    if (unread != null) {
      problems.add(unread);
    }
    Parameters parameters = new Parameters(context, archive);
    JsonAnswer.send(
        context,
        parameters,
        json -> {
          json.name("now").time(EpochNanos.of(now));
          json.name("process")
              .object(
                  out -> {
                    out.name("state").text(state);
                    time(out.name("since"), run.time("since"));
                    time(out.name("written"), run.time("written"));
                    GroupHealth.text(out.name("host"), run.text("host"));
                    out.name("jobs")
                        .array(jobs -> GroupHealth.texts(jobs, isRunning ? run.jobs() : List.of()));
                  });
          json.name("problems").array(out -> GroupHealth.texts(out, problems));
          json.name("groups")
              .array(
                  out -> {
                    for (GroupHealth group : groups) {
                      out.object(each -> group.write(each, now));
                    }
                  });
        });
  }

  private static void time(JsonAnswer json, @Nullable Instant time) throws IOException {
    if (time == null) {
      json.nothing();
    } else {
      json.time(EpochNanos.nearest(time.getEpochSecond(), time.getNano()));
    }
  }

  private void coverage(Context context) throws IOException {
    Parameters parameters = new Parameters(context, archive);
    Set<Group> groups = new LinkedHashSet<>(parameters.groups());
    List<ChannelInfo> channels = List.of();
    if (!context.queryParams("channel").isEmpty()) {
      groups.clear();
      channels = parameters.knownChannels();
      for (ChannelInfo info : channels) {
        groups.add(info.channel().group());
      }
    }
    if (groups.isEmpty()) {
      throw HttpStatusException.wrong("group", "it is missing; name a group or a channel");
    }
    TimeRange range = parameters.range();
    if (KeptAnswer.isCurrent(context, archive, groups, channels, range, 0)) {
      return;
    }
    Map<Group, List<CoverageSpan>> spans = new TreeMap<>();
    boolean complete = true;
    for (Group group : groups) {
      Interruption.check();
      CoverageReport report = report(group, range);
      complete &= report.isComplete();
      spans.put(group, report.spans());
    }
    Losses losses = archive.reader().losses(groups, range);
    boolean all = complete;
    KeptAnswer.addCompleteness(context, all);
    JsonAnswer.send(
        context,
        parameters,
        json -> {
          json.name("from").time(range.fromNanos());
          json.name("to").time(range.toNanos());
          json.name("coverage").array(out -> JsonCoverage.write(out, spans));
          JsonCoverage.writeLossy(json, losses);
          if (losses.hasLedger()) {
            JsonCoverage.writeNotes(json, JsonCoverage.withSummary(List.of(), losses));
          }
          json.name("complete").bool(all);
        });
  }

  /** Counts the events of one channel of the group in one bin, which meets all of its logs. */
  private CoverageReport report(Group group, TimeRange range) throws IOException {
    long length = Math.max(1, Math.subtractExact(range.toNanos(), range.fromNanos()));
    List<ChannelPattern> all = ChannelSelection.glob("*").patterns();
    try {
      ChannelInfo any =
          archive.reader().channels(new ChannelSelection(List.of(group), all), range).get(0);
      ChannelSelection one = ChannelQuestions.selection(any.channel());
      Scope scope = Scope.of(one).between(range).allowIncomplete();
      TrendQuery query = new TrendQuery(scope, length, List.of(Aggregate.COUNT));
      try (TrendReader trend = archive.reader().trend(query)) {
        while (trend.next()) {
          // The coverage is complete after the last bin.
        }
        return trend.coverage();
      }
    } catch (ArithmeticException e) {
      throw HttpStatusException.wrong("from", "the range is too long");
    } catch (UnknownChannelException e) {
      // No pair of the range has a channel.
      CoverageSpan nothing =
          new CoverageSpan(group, SpanKind.NOT_RECORDED, range, null, 0, false, "", List.of());
      return new CoverageReport(range, List.of(nothing), 0, 0, List.of());
    }
  }
}
