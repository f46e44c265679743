package org.kblake.cli.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Writes the file NOTICE and the bill of materials of a tarball: the main one, or that of an
 * extension. The build runs it with the jars of the tarball on its class path.
 */
public final class NoticeWriter {

  /** The names in use, in jars, of notices that a distribution has to repeat. */
  private static final List<String> NAMES =
      List.of(
          "META-INF/NOTICE", "META-INF/NOTICE-binary", "META-INF/NOTICE.txt", "META-INF/NOTICE.md");

  private static final String RULE = "=".repeat(100);

  private NoticeWriter() {}

  /**
   * Writes {@code NOTICE} and {@code kblake.cdx.json}.
   *
   * @param args the bill of materials of the Maven plug-in, the directory to write to, the
   *     directory of introduction.txt and licenses.txt, the version of picocli. For an extension
   *     also the bill of materials of the main tarball, whose jars it does not have
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[1]));
    Path texts = Path.of(args[2]);
    Path made = Path.of(args[0]);
    if (!Files.exists(made)) {
      throw new NoSuchFileException(
          made
              + ": Maven skips the plug-in that makes it if it has the option --offline; leave this"
              + " option out, since a build needs no network after a first one");
    }
    ObjectMapper mapper = new ObjectMapper();
    JsonNode bill = mapper.readTree(made.toFile());
    if (args.length > 4) {
      removeAll(bill, mapper.readTree(Path.of(args[4]).toFile()));
    }
    addPicocli(bill, args[3]);
    Files.writeString(
        directory.resolve("kblake.cdx.json"),
        mapper.writerWithDefaultPrettyPrinter().writeValueAsString(bill) + "\n");
    StringBuilder notice = new StringBuilder(Files.readString(texts.resolve("introduction.txt")));
    libraries(bill).forEach(line -> notice.append(line).append('\n'));
    notices(Thread.currentThread().getContextClassLoader(), jars(bill))
        .forEach(
            (text, jars) ->
                notice.append("\n%s\n%s\n\n%s\n".formatted(RULE, String.join(", ", jars), text)));
    notice.append('\n').append(Files.readString(texts.resolve("licenses.txt")));
    Files.writeString(directory.resolve("NOTICE"), notice.toString());
  }

  /** Removes the components of a tarball, and the component that it is about, from a bill. */
  private static void removeAll(JsonNode bill, JsonNode tarball) {
    Set<String> present = new HashSet<>();
    present.add(tarball.at("/metadata/component/purl").asText());
    for (JsonNode component : tarball.path("components")) {
      present.add(component.path("purl").asText());
    }
    Iterator<JsonNode> components = bill.path("components").elements();
    while (components.hasNext()) {
      if (present.contains(components.next().path("purl").asText())) {
        components.remove();
      }
    }
  }

  /** Returns the names of the files of a bill's components. */
  private static Set<String> jars(JsonNode bill) {
    Set<String> jars = new HashSet<>();
    for (JsonNode component : bill.path("components")) {
      jars.add(
          "%s-%s.jar"
              .formatted(component.path("name").asText(), component.path("version").asText()));
    }
    return jars;
  }

  /** The module picocli is made of the sources of this library. */
  private static void addPicocli(JsonNode bill, String version) {
    for (JsonNode component : bill.path("components")) {
      if (component.path("name").asText().equals("kblake-picocli")) {
        ObjectNode ancestor =
            ((ObjectNode) component).putObject("pedigree").putArray("ancestors").addObject();
        ancestor.put("type", "library");
        ancestor.put("group", "info.picocli");
        ancestor.put("name", "picocli");
        ancestor.put("version", version);
        ArrayNode licenses = ancestor.putArray("licenses");
        licenses.addObject().putObject("license").put("id", "Apache-2.0");
        ancestor.put("purl", "pkg:maven/info.picocli/picocli@" + version + "?classifier=sources");
      }
    }
  }

  /** Returns a line for each library that is no part of kblake: name, version, licenses. */
  private static SortedSet<String> libraries(JsonNode bill) {
    SortedSet<String> lines = new TreeSet<>();
    for (JsonNode component : bill.path("components")) {
      if (!component.path("group").asText().equals("org.kblake")) {
        lines.add(
            "  %s %s: %s"
                .formatted(
                    component.path("name").asText(),
                    component.path("version").asText(),
                    licenses(component)));
      }
    }
    return lines;
  }

  private static String licenses(JsonNode component) {
    return StreamSupport.stream(component.path("licenses").spliterator(), false)
        .map(
            choice ->
                choice.has("expression")
                    ? choice.path("expression").asText()
                    : choice.at("/license/id").asText(choice.at("/license/name").asText()))
        .collect(Collectors.joining(" or "));
  }

  /** Returns the texts in some jars, each with the names of the jars that have it. */
  private static Map<String, SortedSet<String>> notices(ClassLoader loader, Set<String> jars)
      throws IOException {
    Map<String, SortedSet<String>> notices = new TreeMap<>();
    for (String name : NAMES) {
      for (URL file : Collections.list(loader.getResources(name))) {
        String path = file.getPath();
        int end = path.lastIndexOf(".jar!");
        String jar = end < 0 ? "" : path.substring(path.lastIndexOf('/', end) + 1, end + 4);
        if (jars.contains(jar)) {
          try (InputStream in = file.openStream()) {
            String text =
                new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r", "").strip();
            notices.computeIfAbsent(text, key -> new TreeSet<>()).add(jar);
          }
        }
      }
    }
    return notices;
  }
}
