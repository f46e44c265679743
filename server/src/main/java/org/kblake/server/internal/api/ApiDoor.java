package org.kblake.server.internal.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.RecordedTime;
import org.kblake.query.question.HeldQuery;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.NamePattern;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.Door;
import org.kblake.server.internal.http.RequestException;

/** The paths below {@code /api/v1}. */
public final class ApiDoor implements Door {

  private static final String JSON = "application/json";
  private static final int DEFAULT_LIMIT = 100;
  private static final int MOST_CHANNELS = 200_000;

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
        throw new RequestException(400, "the range is too long, or its times are out of range");
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

  private static void write(Context context, Parameters parameters, JsonAnswer.Part part)
      throws IOException {
    context.contentType(JSON).result(JsonAnswer.bytes(parameters, part));
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
    int limit = parameters.number("limit", 1, MOST_CHANNELS, DEFAULT_LIMIT);
    String search = parameters.text("search");
    String pattern = parameters.text("pattern");
    String regex = parameters.text("regex");
    List<ChannelInfo> found;
    if (search != null) {
      found = archive.channels().search(search, limit + 1);
    } else if (regex != null) {
      found = archive.channels().matching(NamePattern.anywhere("regex", regex), limit + 1);
    } else {
      found =
          archive
              .channels()
              .matching(NamePattern.glob("pattern", pattern == null ? "*" : pattern), limit + 1);
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
    HeldValue last =
        recorded.toNanos().isEmpty()
            ? null
            : held(info, recorded.toNanos().getAsLong()).values().get(0);
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
        });
  }

  private HeldValues held(ChannelInfo info, long atNanos) throws IOException {
    return archive
        .reader()
        .held(ChannelQuestions.held(ChannelQuestions.selection(info.channel()), atNanos));
  }

  private void trend(Context context, Parameters parameters) throws IOException {
    TrendAnswer answer = TrendAnswer.of(parameters, archive);
    if (answer != null) {
      KeptAnswer.addCompleteness(context, answer.isComplete());
      write(context, parameters, answer::write);
    }
  }

  private void values(Context context, Parameters parameters) throws IOException {
    long at = parameters.instant("at");
    List<ChannelInfo> channels = parameters.knownChannels();
    TimeRange instant = new TimeRange(at, Math.addExact(at, 1));
    if (parameters.isKept(channels, instant, HeldQuery.DEFAULT_LOOK_BACK.toNanos())) {
      return;
    }
    List<HeldValue> values = new ArrayList<>();
    boolean isComplete = true;
    for (ChannelInfo info : channels) {
      HeldValues held = held(info, at);
      values.add(held.values().get(0));
      isComplete &= held.coverage().isComplete();
    }
    boolean complete = isComplete;
    KeptAnswer.addCompleteness(context, complete);
    write(
        context,
        parameters,
        json -> {
          json.name("at").time(at);
          json.name("values")
              .array(
                  out -> {
                    for (int i = 0; i < channels.size(); i++) {
                      ChannelInfo info = channels.get(i);
                      HeldValue value = values.get(i);
                      out.object(
                          each -> {
                            ChannelTexts.writeName(each, info);
                            each.name("held");
                            if (value.isKnown()) {
                              each.object(held -> ChannelTexts.writeHeld(held, value));
                            } else {
                              each.nothing();
                            }
                          });
                    }
                  });
          json.name("complete").bool(complete);
        });
  }
}
