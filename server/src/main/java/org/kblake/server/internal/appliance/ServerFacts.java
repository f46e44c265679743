package org.kblake.server.internal.appliance;

import com.fasterxml.jackson.core.JsonGenerator;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.appliance.form.JsonForm;

/** Requests about the server: its version, its URLs, whether it answers. */
final class ServerFacts {

  private static final String JSON = "application/json";
  private static final String IDENTITY = "kblake";

  private final String version;

  ServerFacts() {
    Properties properties = new Properties();
    try (InputStream in = ServerFacts.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    version = "kblake " + properties.getProperty("version");
  }

  /** Answers {@code ping}. */
  void ping(Context context) {
    context.contentType("text/plain; charset=utf-8").result("Pong");
  }

  /** Answers {@code getVersion}. */
  void version(Context context) throws IOException {
    Answer.send(
        context,
        JSON,
        false,
        out -> {
          try (JsonGenerator json = JsonForm.generator(out)) {
            json.writeStartObject();
            json.writeStringField("version", version);
            json.writeEndObject();
          }
          return null;
        });
  }

  /** Answers {@code getApplianceInfo}. The URLs have the host that the client asked. */
  void appliance(Context context) throws IOException {
    String host = context.header("Host");
    String base = context.scheme() + "://" + (host == null ? "localhost" : host);
    Answer.send(
        context,
        JSON,
        false,
        out -> {
          try (JsonGenerator json = JsonForm.generator(out)) {
            json.writeStartObject();
            json.writeStringField("identity", IDENTITY);
            json.writeStringField("mgmtURL", base + "/mgmt/bpl");
            json.writeStringField("engineURL", base + "/retrieval/bpl");
            json.writeStringField("retrievalURL", base + "/retrieval/bpl");
            json.writeStringField("etlURL", base + "/retrieval/bpl");
            json.writeStringField("dataRetrievalURL", base + "/retrieval");
            json.writeStringField("version", version);
            json.writeEndObject();
          }
          return null;
        });
  }
}
