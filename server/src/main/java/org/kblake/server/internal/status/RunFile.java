package org.kblake.server.internal.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;

/**
 * The file {@code kblake-run.json} of a store, as docs/store-format.md describes it. Every field
 * may be missing or wrong, and is unknown then.
 *
 * @param content the object; a missing node if there is none
 * @param problem the reason why the file cannot be used; null if it can, or if there is none
 */
record RunFile(JsonNode content, @Nullable String problem) {

  private static final String NAME = "kblake-run.json";
  private static final int MAX_BYTES = 16 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MIN_SECONDS = 30;
  private static final long MISSED_WRITES = 3;

  /**
   * Reads the file.
   *
   * @param store null if there is no store
   */
  static RunFile read(@Nullable Path store) {
    JsonNode none = MissingNode.getInstance();
    if (store == null) {
      return new RunFile(none, null);
    }
    Path file = store.resolve(NAME);
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        return new RunFile(none, NAME + " is too large: more than " + MAX_BYTES + " bytes");
      }
      JsonNode content = JSON.readTree(bytes);
      return content.isObject()
          ? new RunFile(content, null)
          : new RunFile(none, NAME + " is not a JSON object");
    } catch (NoSuchFileException e) {
      return new RunFile(none, null);
    } catch (IOException e) {
      return new RunFile(none, NAME + " cannot be read: " + e.getClass().getSimpleName());
    }
  }

  /** Returns a text; null if it is unknown. */
  @Nullable String text(String name) {
    return text(content, name);
  }

  private static @Nullable String text(JsonNode object, String name) {
    return object.path(name).textValue();
  }

  /** Returns a time; null if it is unknown. */
  @Nullable Instant time(String name) {
    String text = text(name);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Returns {@code running}, {@code stopped}, {@code silent} or {@code none}. */
  String state(Instant now) {
    if (content.isMissingNode()) {
      return "none";
    }
    if ("stopped".equals(text("state"))) {
      return "stopped";
    }
    Instant written = time("written");
    JsonNode every = content.path("everySeconds");
    long seconds = every.isInt() ? Math.max(MIN_SECONDS, every.intValue()) : MIN_SECONDS;
    Duration most = Duration.ofSeconds(MISSED_WRITES * seconds);
    return written == null || Duration.between(written, now).compareTo(most) > 0
        ? "silent"
        : "running";
  }

  /** Returns the object of a group; a missing node if there is none. */
  JsonNode group(Group group) {
    for (JsonNode each : content.path("groups")) {
      if (group.toString().equals(text(each, "group"))) {
        return each;
      }
    }
    return MissingNode.getInstance();
  }

  /** Returns the present problems. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (JsonNode each : content.path("problems")) {
      if (each.isTextual()) {
        problems.add(each.textValue());
      }
    }
    return problems;
  }

  /** Returns the unfinished requests in a few words each. */
  List<String> jobs() {
    List<String> jobs = new ArrayList<>();
    for (JsonNode each : content.path("requests")) {
      String what = text(each, "what");
      if (what != null) {
        String state = text(each, "state");
        jobs.add(state == null ? what : what + ": " + state);
      }
    }
    return jobs;
  }
}
