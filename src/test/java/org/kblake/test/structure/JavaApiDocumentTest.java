package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.test.fixture.ChildJvm;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestArchives;
import org.kblake.test.fixture.TestStores;

/**
 * The program of docs/java-api.md compiles and prints the contents of a sample archive, on the
 * class path and as a module that can use exported packages only.
 */
final class JavaApiDocumentTest {

  private static final Path DOCUMENT =
      Path.of(System.getProperty("basedir", "."), "../../docs/java-api.md");

  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @TempDir private Path directory;

  private Path program;
  private Path module;
  private Path compiled;

  /** Writes the two listings of the document: the program and the module's declaration. */
  @BeforeEach
  void writeListings() throws IOException {
    program = directory.resolve("Example.java");
    module = directory.resolve("module-info.java");
    compiled = directory.resolve("classes");
    Matcher listing = Pattern.compile("(?s)```java\\n(.*?)```").matcher(Files.readString(DOCUMENT));
    for (Path file : List.of(program, module)) {
      assertThat(listing.find()).as("listing for %s", file.getFileName()).isTrue();
      Files.writeString(file, listing.group(1));
    }
  }

  @Test
  void exampleRunsOnClassPath() throws Exception {
    compile("-cp", CLASS_PATH, program.toString());

    run(List.of("-cp", compiled + File.pathSeparator + CLASS_PATH, "example.Example"));
  }

  @Test
  void exampleRunsAsModule() throws Exception {
    ModuleFinder found =
        ModuleFinder.of(
            Stream.of(CLASS_PATH.split(File.pathSeparator)).map(Path::of).toArray(Path[]::new));
    assumeThat(found.find("org.kblake.query"))
        .as("class path of classes compiled with their module-info.java")
        .isPresent();
    String modules =
        String.join(
            File.pathSeparator,
            requiredBy(found, "org.kblake.query", "org.apache.arrow.memory.unsafe"));

    compile("--module-path", modules, module.toString(), program.toString());

    run(
        List.of(
            "--add-opens=java.base/java.nio=org.apache.arrow.memory.core",
            "--module-path",
            compiled + File.pathSeparator + modules,
            "--module",
            "example/example.Example"));
  }

  /**
   * Returns the locations of these modules and of all modules that they require at run time, except
   * those of the JDK.
   */
  private static Collection<String> requiredBy(ModuleFinder found, String... names) {
    List<String> locations = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Deque<String> left = new ArrayDeque<>(List.of(names));
    while (!left.isEmpty()) {
      String name = left.remove();
      Optional<ModuleReference> module = found.find(name);
      if (seen.add(name) && module.isPresent()) {
        locations.add(Path.of(module.get().location().orElseThrow()).toString());
        module.get().descriptor().requires().stream()
            .filter(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
            .forEach(required -> left.add(required.name()));
      }
    }
    return locations;
  }

  private void compile(String... options) {
    List<String> arguments = new ArrayList<>(List.of("-d", compiled.toString()));
    arguments.addAll(List.of(options));
    ToolProvider compiler = ToolProvider.findFirst("javac").orElseThrow();
    StringWriter messages = new StringWriter();
    PrintWriter writer = new PrintWriter(messages);
    int status = compiler.run(writer, writer, arguments.toArray(new String[0]));
    assertThat(status).as(messages.toString()).isZero();
  }

  private void run(Collection<String> options) throws Exception {
    Shell.Result result = run(options, "tiny-le", "BM_DCCT:HCUR", "2022-03-14T18:18:00Z");

    // The channel is connected, and has the value 1.5 a second later. The grid's second point is
    // the first with a value.
    assertThat(result.out().lines())
        .as(result.err())
        .contains("1647281880270000000 none", "1647281881279999999 1.5")
        .contains("1647281890000000000 1.5")
        .doesNotContain("1647281880000000000 1.5")
        .contains("1647281880000000000 1 severity 0")
        .anyMatch(line -> line.endsWith(" CONNECTED"));
    assertThat(result.status()).isZero();
  }

  /** Floats, enums and strings are printed as in the sample's list of events. */
  @Test
  void examplePrintsValuesOfEachType() throws Exception {
    compile("-cp", CLASS_PATH, program.toString());
    List<String> listed =
        Files.readAllLines(TestArchives.resource("samples/mixed/events-VA_CCG.tsv"));
    String from = "2016-05-15T15:00:00Z";
    for (String channel :
        List.of("VA_CCG:D07_003:XPOS", "VA_CCG:D02_013:CUR", "VA_CCG:D07_005:TEMP")) {
      List<String> expected = new ArrayList<>();
      for (String line : listed) {
        String[] event = line.split("\t", -1);
        if (event[1].equals(channel)
            && event[2].equals("2")
            && Long.parseLong(event[0])
                < Instant.parse(from).plusSeconds(60).getEpochSecond() * 1_000_000_000L) {
          boolean isFloat = channel.endsWith("XPOS");
          String value = isFloat ? Float.toString(Float.parseFloat(event[6])) : event[6];
          expected.add(event[0] + " " + value);
        }
      }

      Shell.Result result =
          run(
              List.of("-cp", compiled + File.pathSeparator + CLASS_PATH, "example.Example"),
              "mixed",
              channel,
              from);

      assertThat(expected).as(channel).hasSizeGreaterThan(1);
      assertThat(result.out().lines()).as(result.err()).containsAll(expected);
    }
  }

  /** Runs the program on a sample archive with a store. */
  private Shell.Result run(Collection<String> options, String sample, String channel, String from)
      throws Exception {
    Path root = directory.resolve("archive");
    Path store = directory.resolve("store");
    if (Files.notExists(store)) {
      TestStores.backfill(
          Archive.open(TestStores.sample(sample, root), ArchiveSettings.defaults()), store);
    }
    List<String> words = new ArrayList<>(ChildJvm.java());
    words.addAll(options);
    words.addAll(List.of(root.toString(), store.toString(), channel, from));
    return new Shell(directory)
        .run(words.stream().map(Shell::quoted).collect(Collectors.joining(" ")));
  }
}
