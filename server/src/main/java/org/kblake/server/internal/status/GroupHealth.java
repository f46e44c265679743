package org.kblake.server.internal.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.LatestTime;
import org.kblake.server.internal.api.JsonAnswer;
import org.kblake.server.internal.http.PublicText;

/**
 * The present state of a group.
 *
 * @param group the group
 * @param newest the time of its newest event, nanoseconds since 1970 UTC; empty if unknown
 * @param run what the process that writes the store says of the group; a missing node if nothing
 * @param jobs the process's work on the group
 * @param problems a line for each problem of the group
 */
record GroupHealth(
    Group group, OptionalLong newest, JsonNode run, List<String> jobs, List<String> problems) {

  /** Groups with problems first, then the oldest event first, then groups without an event. */
  static final Comparator<GroupHealth> WORST =
      Comparator.comparing((GroupHealth each) -> each.problems.isEmpty())
          .thenComparingLong(each -> each.newest.orElse(Long.MAX_VALUE))
          .thenComparing(GroupHealth::group);

  /**
   * Finds the state of a group.
   *
   * @param process of the store
   * @param isRunning whether the process's problems and jobs are present ones
   */
  static GroupHealth of(ArchiveReader reader, Group group, RunFile process, boolean isRunning) {
    List<String> problems = new ArrayList<>();
    OptionalLong newest = OptionalLong.empty();
    try {
      LatestTime latest = reader.findLatest(group);
      newest = latest.nanos();
      if (latest.unread() != null) {
        problems.add(latest.unread());
      }
    } catch (IOException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    JsonNode run = process.group(group);
    List<String> jobs = List.of();
    if (isRunning) {
      if (run.path("away").asBoolean() && problems.isEmpty()) {
        problems.add("the archive does not show the group");
      }
      process.problems().stream()
          .filter(problem -> names(problem, group) && !problems.contains(problem))
          .forEach(problems::add);
      jobs = process.jobs().stream().filter(job -> names(job, group)).toList();
    }
    return new GroupHealth(group, newest, run, jobs, problems);
  }

  /** Returns whether a text has the name of a group, and not only the begin of a longer name. */
  static boolean names(String text, Group group) {
    String name = group.toString();
    for (int at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      int end = at + name.length();
      if ((at == 0 || !isNameCharacter(text.charAt(at - 1)))
          && (end == text.length() || !isNameCharacter(text.charAt(end)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNameCharacter(char character) {
    return Character.isLetterOrDigit(character) || character == '_' || character == '-';
  }

  /** Writes the members of the group's object. */
  void write(JsonAnswer json, Instant now) throws IOException {
    json.name("group").text(group.toString());
    json.name("state").text(problems.isEmpty() ? "ok" : "critical");
    json.name("newest");
    if (newest.isPresent()) {
      json.time(newest.getAsLong());
    } else {
      json.nothing();
    }
    json.name("age");
    if (newest.isPresent()) {
      json.number(Math.max(0, EpochNanos.minus(EpochNanos.of(now), newest.getAsLong())) / 1e6);
    } else {
      json.nothing();
    }
    number(json.name("lag"), run.path("lagSeconds"), 1000);
    number(json.name("storeBytes"), run.path("storedBytes"), 1);
    number(json.name("pendingBytes"), run.path("pendingBytes"), 1);
    text(json.name("mode"), run.path("mode").textValue());
    json.name("jobs").array(out -> texts(out, jobs));
    json.name("problems").array(out -> texts(out, problems));
  }

  private static void number(JsonAnswer json, JsonNode node, double factor) throws IOException {
    if (node.isNumber()) {
      json.number(node.doubleValue() * factor);
    } else {
      json.nothing();
    }
  }

  /** Writes a text; null if it is unknown. */
  static void text(JsonAnswer json, @Nullable String text) throws IOException {
    if (text == null) {
      json.nothing();
    } else {
      json.text(text);
    }
  }

  /** Writes the elements of a list. */
  static void texts(JsonAnswer json, List<String> texts) throws IOException {
    for (String text : texts) {
      json.text(PublicText.of(text));
    }
  }
}
