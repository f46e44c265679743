package org.kblake.test.names;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.EventFollower;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.server.ServedSample;

/**
 * Channels whose names look like patterns, lists or operators. At each door a recorded name is
 * answered by its channel, and by no other.
 */
final class PatternLikeNamesTest {

  private static final String LETTERS = "ab0[]{}*?,.\\-:!";
  private static final String[] RANGE = {"--from=@1463324400", "--to=@1463324600", "-q"};
  private static final String BEFORE = "@1463324430";
  private static final String AFTER = "@1463324550";
  private static final String API_RANGE = "&from=@1463324400&to=@1463324600";
  private static final String UTC_RANGE = "&from=2016-05-15T15:00:00Z&to=2016-05-15T15:03:00Z";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  /** Asks for a channel at a door, and returns the names of the channels that are answered. */
  private interface Door {
    Set<String> ask(String name) throws Exception;
  }

  @Test
  void aRecordedNameIsItsChannelAtEachDoor() throws Exception {
    Seeds.each("names like patterns", Seeds.cases(1, 4), this::checkRandom);
  }

  private void checkRandom(long seed) throws Exception {
    Random random = new Random(seed);
    Path archive = directory.resolve("archive" + seed);
    Map<String, String> groups = new TreeMap<>();
    for (String group : List.of("VA/A", "VA/B", "VA/C")) {
      List<String> names = names(random, group.equals("VA/A") ? "EVENT" : "K:br0");
      write(archive, group, names);
      names.forEach(name -> groups.put(name, group));
    }
    TestStores.closePairs(archive);
    try (ServedSample server = new ServedSample(archive, null)) {
      Map<String, Door> doors = ofCommand(archive, server, groups);
      doors.putAll(ofApi(server, groups));
      doors.putAll(ofAppliance(server, groups.keySet()));
      for (Map.Entry<String, Door> door : doors.entrySet()) {
        for (String name : groups.keySet()) {
          assertThat(door.getValue().ask(name))
              .as("%s of %s, recorded: %s", door.getKey(), name, groups)
              .containsExactly(name);
        }
      }
      KblakeRun listed = command(archive).run("channels", "-q");
      assertThat(lines(listed)).isEqualTo(groups.keySet());
      String[] all = {"get", "-f", "json", "--channels-from", "-"};
      assertThat(rows(command(archive).reading(listed.out()).run(with(all, RANGE)), "channel"))
          .isEqualTo(groups.keySet());
      String[] served = with(all, "--server", url(server));
      assertThat(
              rows(
                  KblakeRun.in(directory).reading(listed.out()).run(with(served, RANGE)),
                  "channel"))
          .isEqualTo(groups.keySet());
    }
  }

  private static List<String> names(Random random, String one) {
    Set<String> names = new LinkedHashSet<>(List.of("K:br[0]", "K:br0", "K:S{a}X", "K:SaX"));
    names.removeIf(name -> random.nextBoolean());
    names.add(one);
    while (names.size() < 10) {
      StringBuilder name = new StringBuilder(random.nextInt(4) == 0 ? "" : "K:");
      for (int i = 1 + random.nextInt(6); i > 0; i--) {
        name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      // An asterisk alone is the pattern of all channels, and an axis of a plot has the text 0.
      if (!name.toString().matches("[*]|-?0+")) {
        names.add(name.toString());
      }
    }
    return List.copyOf(names);
  }

  /** Each channel has a value of its own, which becomes negative after 110 s. */
  private static double value(String name) {
    return 1 + Math.abs(name.hashCode() % 1_000_000_007);
  }

  private static void write(Path archive, String group, List<String> names) throws IOException {
    Map<String, ValueType> channels = new LinkedHashMap<>();
    names.forEach(name -> channels.put(name, ValueType.DOUBLE));
    NamedChannels.write(
        archive,
        Group.parse(group),
        channels,
        List.of(5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 110),
        (name, second) -> second == 110 ? -value(name) : value(name));
  }

  private Map<String, Door> ofCommand(
      Path archive, ServedSample server, Map<String, String> groups) {
    Map<String, Door> doors = new TreeMap<>();
    doors.put("get", name -> get(archive, name));
    doors.put("get -g", name -> get(archive, name, "-g", "VA/A", "-g", "VA/B", "-g", "VA/C"));
    doors.put("get --last", name -> get(archive, name, "--last", "1"));
    doors.put("get --aggregate", name -> get(archive, name, "--aggregate=mean", "--every=50s"));
    doors.put(
        "get --at",
        name ->
            rows(command(archive).run("get", "-f", "json", "--at", AFTER, "--", name), "channel"));
    doors.put(
        "get --wide",
        name -> columns(out(command(archive).run(ranged("get", name, "--wide", "--every=50s")))));
    doors.put(
        "get --server",
        name ->
            rows(
                KblakeRun.in(directory)
                    .run(ranged("get", name, "-f", "json", "--server", url(server))),
                "channel"));
    doors.put("get --follow", name -> followed(server, name));
    doors.put("channels", name -> lines(command(archive).run("channels", "-q", "--", name)));
    doors.put(
        "channels -i",
        name -> lines(command(archive).run("channels", "-qi", "--", name.replace('a', 'A'))));
    doors.put(
        "plot",
        name -> {
          Path file = directory.resolve("plot.svg");
          assertThat(out(command(archive).run(ranged("plot", name, "-o", "plot.svg")))).isEmpty();
          return Pattern.compile(">([^<>]+)<")
              .matcher(Files.readString(file))
              .results()
              .map(text -> name(text.group(1)))
              .filter(groups::containsKey)
              .collect(Collectors.toSet());
        });
    doors.put(
        "diff",
        name ->
            rows(
                command(archive)
                    .run("diff", "-q", "-f", "json", "--at", BEFORE, "--and", AFTER, "--", name),
                "channel"));
    doors.put(
        "moved",
        name ->
            rows(
                command(archive)
                    .run(
                        "moved",
                        "-q",
                        "-f",
                        "json",
                        "--at=@1463324515",
                        "--baseline=2min",
                        "--",
                        name),
                "channel"));
    doors.put(
        "build",
        name -> columns(out(command(archive).run(ranged("build", name, "--event", "EVENT < 0")))));
    doors.put(
        "when",
        name ->
            lines(
                        command(archive)
                            .run(
                                ranged("when", name + " < 0", "-g", groups.getOrDefault(name, ""))))
                    .stream()
                    .anyMatch(line -> line.startsWith("2016-05-16T00:01:50"))
                ? Set.of(name)
                : Set.of());
    return doors;
  }

  private KblakeRun.Builder command(Path archive) {
    return KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive.toString());
  }

  private Set<String> get(Path archive, String name, String... options) throws IOException {
    return rows(command(archive).run(ranged("get", name, with(options, "-f", "json"))), "channel");
  }

  private static String[] ranged(String command, String argument, String... options) {
    return with(with(with(new String[] {command}, options), RANGE), "--", argument);
  }

  private static String[] with(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static String out(KblakeRun run) {
    assertThat(run.status()).as(run.toString()).isZero();
    return run.out();
  }

  private static Set<String> lines(KblakeRun run) {
    return new TreeSet<>(out(run).lines().toList());
  }

  private static Set<String> rows(KblakeRun run, String member) throws IOException {
    return texts(JSON.readTree(out(run)), member);
  }

  /** Returns the names of the columns of CSV, without those of times and numbers of rows. */
  private static Set<String> columns(String csv) {
    String header = csv.lines().findFirst().orElse("");
    return Pattern.compile("\"([^\"]*)\"|([^,]+)")
        .matcher(header)
        .results()
        .map(column -> column.group(1) == null ? column.group(2) : column.group(1))
        .map(PatternLikeNamesTest::name)
        .filter(column -> !Set.of("time", "event", "complete").contains(column))
        .collect(Collectors.toSet());
  }

  /** Returns a name that may be behind its group, because several groups have it. */
  private static String name(String text) {
    return text.substring(text.lastIndexOf(' ') + 1);
  }

  private static Set<String> texts(JsonNode array, String member) {
    Set<String> texts = new TreeSet<>();
    array.forEach(each -> texts.add(each.at("/" + member).asText()));
    return texts;
  }

  private static Set<String> followed(ServedSample server, String name) throws IOException {
    Set<String> names = new TreeSet<>();
    try (EventFollower follower =
        server
            .reader()
            .follow(
                FollowQuery.of(
                    ChannelSelection.of(List.of(ChannelPattern.ofText(name))),
                    Instant.ofEpochSecond(NamedChannels.BEGIN_SECONDS)))) {
      follower.channels().forEach(channel -> names.add(channel.name()));
    }
    return names;
  }

  private static Map<String, Door> ofApi(ServedSample server, Map<String, String> groups) {
    Map<String, Door> doors = new TreeMap<>();
    Map<String, String> answers =
        Map.of(
            "data", "events",
            "trend", "channels",
            "values", "values",
            "moved", "channels",
            "diff", "channels");
    answers.forEach(
        (path, list) ->
            doors.put(
                "/api/v1/" + path,
                name ->
                    texts(
                        server
                            .json(
                                "/api/v1/"
                                    + path
                                    + "?channel="
                                    + encoded(name)
                                    + switch (path) {
                                      case "data", "trend" -> API_RANGE;
                                      case "values" -> "&at=" + AFTER;
                                      case "moved" -> "&at=@1463324515&baseline=2min";
                                      default -> "&at=" + BEFORE + "&and=" + AFTER;
                                    })
                            .get(list),
                        path.equals("data") ? "channel" : "name")));
    doors.put(
        "/api/v1/table",
        name ->
            columns(
                server.get("/api/v1/table?every=50s&channel=" + encoded(name) + API_RANGE).body()));
    doors.put(
        "/api/v1/metadata",
        name ->
            Set.of(server.json("/api/v1/metadata?channel=" + encoded(name)).get("name").asText()));
    doors.put(
        "/api/v1/channels",
        name ->
            texts(
                server.json("/api/v1/channels?pattern=" + encoded(name)).get("channels"), "name"));
    doors.put(
        "/api/v1/coverage",
        name ->
            texts(
                        server
                            .json("/api/v1/coverage?channel=" + encoded(name) + API_RANGE)
                            .get("coverage"),
                        "group")
                    .contains(groups.get(name))
                ? Set.of(name)
                : Set.of());
    doors.put(
        "/api/v1/when",
        name ->
            server
                        .json(
                            "/api/v1/when?condition="
                                + encoded(name + " < 0")
                                + "&group="
                                + groups.get(name)
                                + API_RANGE)
                        .at("/intervals/from/0")
                        .asLong()
                    == (NamedChannels.BEGIN_SECONDS + 110) * 1000
                ? Set.of(name)
                : Set.of());
    return doors;
  }

  private static Map<String, Door> ofAppliance(ServedSample server, Set<String> names) {
    Map<String, Door> doors = new TreeMap<>();
    for (String form : List.of("getData.json", "getDataForPVs.json")) {
      for (String operator : List.of("", "lastSample_50(", "mean_60(")) {
        String end = operator.isEmpty() ? "" : ")";
        doors.put(
            form + " " + operator,
            name ->
                texts(
                    server.json(
                        "/retrieval/data/"
                            + form
                            + "?pv="
                            + encoded(operator + name + end)
                            + UTC_RANGE),
                    "meta/name"));
      }
    }
    doors.put(
        "getMetadata",
        name ->
            Set.of(
                server
                    .json("/retrieval/bpl/getMetadata?pv=" + encoded(name))
                    .get("pvName")
                    .asText()));
    doors.put(
        "getMatchingPVs",
        name -> elements(server.json("/retrieval/bpl/getMatchingPVs?pv=" + encoded(name))));
    doors.put(
        "areWeArchivingPV",
        name ->
            server
                    .json("/retrieval/bpl/areWeArchivingPV?pv=" + encoded(name))
                    .get("status")
                    .asBoolean()
                ? Set.of(name)
                : Set.of());
    doors.put(
        "channels-by-pattern",
        name -> elements(server.json("/archive/1/channels-by-pattern/" + encoded(name))));
    doors.put(
        "samples",
        name ->
            names.stream()
                .filter(each -> hasSample(server, name, value(each)))
                .collect(Collectors.toSet()));
    return doors;
  }

  private static boolean hasSample(ServedSample server, String name, double value) {
    try {
      return server
              .json(
                  "/archive/1/samples/"
                      + encoded(name)
                      + "?start=1463324400000000000&end=1463324500000000000")
              .at("/0/value/0")
              .asDouble()
          == value;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<String> elements(JsonNode array) {
    Set<String> elements = new TreeSet<>();
    array.forEach(each -> elements.add(each.asText()));
    return elements;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static String url(ServedSample server) {
    return "http://127.0.0.1:" + server.port();
  }
}
