package org.kblake.cli.command.shared;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a JSON text with line breaks. What is null is written as null. */
public final class JsonText {

  private final JsonGenerator json;

  private JsonText(JsonGenerator json) {
    this.json = json;
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.useDefaultPrettyPrinter();
  }

  /** Writes the fields of an object. */
  @FunctionalInterface
  public interface Fields {
    void write() throws IOException;
  }

  /** Writes the fields of an object that describes a value. */
  @FunctionalInterface
  public interface FieldsOf<T> {
    void write(T value) throws IOException;
  }

  /**
   * Writes an object as a text, and the end of its line.
   *
   * @param out the destination, which is flushed, and not closed
   */
  public static void write(Writer out, FieldsOf<JsonText> fields) throws IOException {
    new JsonText(new JsonFactory().createGenerator(out)).writeAll(fields);
  }

  /**
   * Writes an object as a text in UTF-8, and the end of its line.
   *
   * @param out the destination, which is flushed, and not closed
   */
  public static void write(OutputStream out, FieldsOf<JsonText> fields) throws IOException {
    new JsonText(new JsonFactory().createGenerator(out)).writeAll(fields);
  }

  private void writeAll(FieldsOf<JsonText> fields) throws IOException {
    json.writeStartObject();
    fields.write(this);
    json.writeEndObject();
    json.writeRaw('\n');
    json.flush();
  }

  /** Writes a field that is a text, a number or a boolean. */
  public void field(String name, @Nullable Object value) throws IOException {
    json.writeObjectField(name, value);
  }

  /** Writes a field that is a list of texts. */
  public void texts(String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  /** Writes a field that is an object. */
  public void object(String name, Fields fields) throws IOException {
    json.writeObjectFieldStart(name);
    fields.write();
    json.writeEndObject();
  }

  /** Writes a field that is a list of objects. */
  public <T> void objects(String name, Iterable<T> values, FieldsOf<T> fields) throws IOException {
    json.writeArrayFieldStart(name);
    for (T value : values) {
      json.writeStartObject();
      fields.write(value);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Returns what writes the values of other formats. */
  public JsonGenerator generator() {
    return json;
  }
}
