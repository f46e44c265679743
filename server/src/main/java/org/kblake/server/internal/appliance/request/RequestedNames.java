package org.kblake.server.internal.appliance.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.http.HttpStatusException;

/** The names of channels in the body of a request. */
public final class RequestedNames {

  /** The maximum size of a body in bytes. */
  public static final int MAX_BYTES = 8 << 20;

  /** The maximum number of channels of a request. */
  private static final int MAX_NAMES = 10_000;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FORM = "application/x-www-form-urlencoded";

  private RequestedNames() {}

  /**
   * Reads a body: a JSON array of names, names separated by line ends or commas, or a form with the
   * parameter {@code pv}.
   *
   * @param contentType null if it is unknown
   * @param isRecorded whether a line is the name of a channel, whatever characters it has
   * @throws HttpStatusException if the body is too long, not UTF-8, or has no name
   */
  public static List<String> read(
      InputStream body, @Nullable String contentType, Predicate<String> isRecorded)
      throws IOException {
    byte[] bytes = body.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new HttpStatusException(413, "the body is longer than " + MAX_BYTES + " bytes");
    }
    String text = QueryParameters.utf8(ByteBuffer.wrap(bytes)).strip();
    List<String> names;
    if (text.startsWith("[") && !isRecorded.test(text.lines().findFirst().orElse("").strip())) {
      names = ofJson(text);
    } else if (contentType != null && contentType.startsWith(FORM) && text.startsWith("pv=")) {
      names = separated(String.join("\n", QueryParameters.parse(text).all("pv")), isRecorded);
    } else {
      names = separated(text, isRecorded);
    }
    if (names.isEmpty()) {
      throw HttpStatusException.wrong(
          "pv", "the body has no names; send a JSON array, or names separated by line ends");
    }
    return requireFew(names);
  }

  /**
   * Returns the names.
   *
   * @throws HttpStatusException if there are too many
   */
  public static List<String> requireFew(List<String> names) {
    if (names.size() > MAX_NAMES) {
      throw new HttpStatusException(
          413, "at most " + MAX_NAMES + " channels in a request: " + names.size());
    }
    return names;
  }

  private static List<String> separated(String text, Predicate<String> isRecorded) {
    List<String> names = new ArrayList<>();
    for (String line : text.split("[\\r\\n]")) {
      for (String word : isRecorded.test(line.strip()) ? new String[] {line} : line.split(",")) {
        if (!word.isBlank()) {
          names.add(word.strip());
        }
      }
    }
    return names;
  }

  private static List<String> ofJson(String text) {
    List<String> names = new ArrayList<>();
    try {
      for (JsonNode each : JSON.readTree(text)) {
        JsonNode name = each.isObject() ? each.path("pv") : each;
        if (!name.isTextual()) {
          throw new HttpStatusException(400, "the body has an element that is not a name: " + each);
        }
        names.add(name.textValue());
      }
    } catch (JsonProcessingException e) {
      throw new HttpStatusException(400, "the body is not a JSON array: " + e.getOriginalMessage());
    }
    return names;
  }
}
