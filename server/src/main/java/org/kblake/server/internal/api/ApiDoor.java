package org.kblake.server.internal.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.kblake.core.archive.Interruption;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.RecordedTime;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.data.AnswerMemory;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.NamePattern;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.Door;
import org.kblake.server.internal.http.HttpStatusException;

/** The paths below {@code /api/v1}. */
public final class ApiDoor implements Door {

  private static final String JSON = "application/json";
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_CHANNELS = 200_000;

  private final ServedArchive archive;

  /** Answers a request. */
  @FunctionalInterface
  private interface Answer {
    void write(Context context, Parameters parameters) throws IOException;
  }

  public ApiDoor(ServedArchive archive) {
    this.archive = archive;
  }

  @Override
  public String name() {
    return "api";
  }

  @Override
  public void addTo(RoutesConfig routes) {
    routes.get("/api/v1/archive", handler(this::archive));
    routes.get("/api/v1/channels", handler(this::channels));
    routes.get("/api/v1/metadata", handler(this::metadata));
    routes.get("/api/v1/trend", handler(this::trend));
    routes.get("/api/v1/values", handler(this::values));
    routes.get("/api/v1/openapi.json", ApiDoor::document);
    routes.get(
        "/api/v1/data",
        handler((context, parameters) -> DataAnswer.send(context, parameters, archive)));
    routes.get(
        "/api/v1/when",
        handler((context, parameters) -> WhenAnswer.send(context, parameters, archive)));
    routes.get(
        "/api/v1/moved",
        handler((context, parameters) -> MovementsAnswer.send(context, parameters, archive)));
    routes.get(
        "/api/v1/diff",
        handler((context, parameters) -> DifferencesAnswer.send(context, parameters, archive)));
    routes.get(
        "/api/v1/table",
        handler((context, parameters) -> TableAnswer.send(context, parameters, archive)));
  }

  private Handler handler(Answer answer) {
    return context -> {
      try {
        answer.write(context, new Parameters(context, archive));
      } catch (ArithmeticException e) {
        throw new HttpStatusException(400, "the range is too long, or its times are out of range");
      }
    };
  }

  /** Sends the description of this API for programs. */
  private static void document(Context context) {
    InputStream document = ApiDoor.class.getResourceAsStream("/org/kblake/server/openapi.json");
    if (document == null) {
      throw new IllegalStateException("openapi.json is not on the class path");
    }
    context.contentType(JSON).result(document);
  }

  private static void write(Context context, Parameters parameters, JsonAnswer.Content content)
      throws IOException {
    JsonAnswer.send(context, parameters, content);
  }

  private void archive(Context context, Parameters parameters) throws IOException {
    List<Group> groups = archive.reader().groups();
    TimeRange recorded = archive.recorded();
    write(
        context,
        parameters,
        json -> {
          json.name("zone").text(archive.zone().getId());
          json.name("now").integer(archive.now().toEpochMilli());
          json.name("recorded");
          if (recorded.fromNanos() < recorded.toNanos()) {
            json.object(
                out -> {
                  out.name("from").time(recorded.fromNanos());
                  out.name("to").time(recorded.toNanos());
                });
          } else {
            json.nothing();
          }
          json.name("groups")
              .array(
                  out -> {
                    for (Group group : groups) {
                      Interruption.check();
                      OptionalLong latest = archive.reader().findLatest(group).nanos();
                      out.object(
                          each -> {
                            each.name("group").text(group.toString());
                            each.name("latest");
                            time(each, latest);
                          });
                    }
                  });
        });
  }

  private static void time(JsonAnswer json, OptionalLong nanos) throws IOException {
    if (nanos.isPresent()) {
      json.time(nanos.getAsLong());
    } else {
      json.nothing();
    }
  }

  private void channels(Context context, Parameters parameters) throws IOException {
    int limit = parameters.number("limit", 1, MAX_CHANNELS, DEFAULT_LIMIT);
    String search = parameters.text("search");
    String pattern = parameters.text("pattern");
    String regex = parameters.text("regex");
    List<ChannelInfo> found;
    if (search != null) {
      found = archive.channels().search(search, limit + 1);
    } else if (regex != null) {
      found = archive.channels().matching(NamePattern.anywhere("regex", regex), limit + 1);
    } else {
      String text = pattern == null ? "*" : pattern;
      found =
          archive
              .channels()
              .matching(
                  archive.channels().isName(text)
                      ? NamePattern.exactly("pattern", text)
                      : NamePattern.glob("pattern", text),
                  limit + 1);
    }
    boolean complete = archive.channels().isComplete();
    KeptAnswer.addCompleteness(context, complete);
    List<String> nearest =
        found.isEmpty() && search != null ? archive.channels().nearest(search) : List.of();
    write(
        context,
        parameters,
        json -> {
          json.name("channels")
              .array(
                  out -> {
                    for (ChannelInfo info : found.subList(0, Math.min(limit, found.size()))) {
                      out.object(
                          each -> {
                            ChannelTexts.writeName(each, info);
                            List<String> former = archive.channels().formerNamesOf(info.channel());
                            each.name("aliases")
                                .array(names -> ChannelTexts.writeTexts(names, former));
                          });
                    }
                  });
          json.name("more").bool(found.size() > limit);
          json.name("nearest").array(out -> ChannelTexts.writeTexts(out, nearest));
          json.name("complete").bool(complete);
        });
  }

  private void metadata(Context context, Parameters parameters) throws IOException {
    ChannelInfo info = parameters.knownChannels().get(0);
    RecordedTime recorded = archive.reader().recorded(info.channel());
    HeldValues values =
        recorded.toNanos().isEmpty() ? null : held(info, recorded.toNanos().getAsLong());
    HeldValue last = values == null ? null : values.values().get(0);
    write(
        context,
        parameters,
        json -> {
          ChannelMetadata known = archive.reader().metadata(info.channel());
          ChannelTexts.write(json, info, known);
          ChannelTexts.writeMore(json, known);
          json.name("recorded")
              .object(
                  out -> {
                    out.name("from");
                    time(out, recorded.fromNanos());
                    out.name("to");
                    time(out, recorded.toNanos());
                  });
          json.name("lastValue");
          if (last == null || !last.isKnown()) {
            json.nothing();
          } else {
            json.object(out -> ChannelTexts.writeHeld(out, last));
          }
          JsonCoverage.writeNotes(
              json, values == null ? List.of() : values.coverage().lookBackNotes());
        });
  }

  private HeldValues held(ChannelInfo info, long atNanos) throws IOException {
    return archive
        .reader()
        .held(archive.heldQuery(ChannelQuestions.selection(info.channel()), atNanos));
  }

  private void trend(Context context, Parameters parameters) throws IOException {
    try (TrendOutput answer = TrendOutput.of(parameters, archive)) {
      if (answer != null) {
        KeptAnswer.addCompleteness(context, answer.isComplete());
        write(context, parameters, answer::write);
      }
    }
  }

  private void values(Context context, Parameters parameters) throws IOException {
    long at = parameters.instant("at");
    List<ChannelInfo> channels = parameters.knownChannels();
    TimeRange instant = new TimeRange(at, Math.addExact(at, 1));
    if (parameters.isKept(channels, instant, archive.lookBack().toNanos())) {
      return;
    }
    long bytes = channels.stream().mapToLong(AnswerMemory::valueBytes).sum();
    archive.answers().with(bytes, () -> values(context, parameters, at, channels));
  }

  private void values(Context context, Parameters parameters, long at, List<ChannelInfo> channels)
      throws IOException {
    Map<Channel, HeldValue> values = new HashMap<>();
    Set<String> notes = new LinkedHashSet<>();
    boolean isComplete = true;
    for (List<ChannelInfo> some : askedTogether(channels)) {
      Interruption.check();
      List<String> names = some.stream().map(info -> info.channel().name()).toList();
      HeldValues held =
          archive
              .reader()
              .held(
                  archive.heldQuery(
                      ChannelQuestions.selection(some.get(0).channel().group(), names), at));
      notes.addAll(held.coverage().lookBackNotes());
      held.values().forEach(value -> values.put(value.channel(), value));
      isComplete &= held.coverage().isComplete();
    }
    boolean complete = isComplete;
    Set<Group> groups = new HashSet<>();
    channels.forEach(info -> groups.add(info.channel().group()));
    notes.addAll(archive.reader().losses(groups, EpochNanos.around(at, at, 1)).lines());
    KeptAnswer.addCompleteness(context, complete);
    write(
        context,
        parameters,
        json -> {
          json.name("at").time(at);
          json.name("values")
              .array(
                  out -> {
                    for (ChannelInfo info : channels) {
                      HeldValue value = values.get(info.channel());
                      out.object(
                          each -> {
                            ChannelTexts.writeName(each, info);
                            each.name("held");
                            if (value != null && value.isKnown()) {
                              each.object(held -> ChannelTexts.writeHeld(held, value));
                            } else {
                              each.nothing();
                            }
                          });
                    }
                  });
          JsonCoverage.writeNotes(json, notes);
          json.name("complete").bool(complete);
        });
  }

  /**
   * Returns the channels of each group. A former name is alone, because a question that names both
   * has the channel, and not its former name.
   */
  private Collection<List<ChannelInfo>> askedTogether(List<ChannelInfo> channels) {
    Map<Object, List<ChannelInfo>> together = new LinkedHashMap<>();
    for (ChannelInfo info : channels) {
      boolean isFormer = !archive.reader().metadata(info.channel()).presentNames().isEmpty();
      together
          .computeIfAbsent(
              isFormer ? info.channel() : info.channel().group(), any -> new ArrayList<>())
          .add(info);
    }
    return together.values();
  }
}
