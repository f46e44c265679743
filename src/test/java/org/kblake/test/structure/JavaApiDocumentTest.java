package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.test.fixture.TestStores;

/** The program of docs/java-api.md compiles, and prints what a sample archive holds. */
final class JavaApiDocumentTest {

  private static final Path DOCUMENT =
      Path.of(System.getProperty("basedir", "."), "../../docs/java-api.md");

  @Test
  void exampleRuns(@TempDir Path directory) throws Exception {
    Matcher program = Pattern.compile("(?s)```java\\n(.*?)```").matcher(Files.readString(DOCUMENT));
    assertThat(program.find()).isTrue();
    Path source = directory.resolve("Example.java");
    Files.writeString(source, program.group(1));
    compile(source, directory);

    Path root = TestStores.sample("tiny-le", directory.resolve("archive"));
    Path store = directory.resolve("store");
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    String printed =
        run(directory, root.toString(), store.toString(), "BM_DCCT:HCUR", "2022-03-14T18:18:00Z");

    // connected, 1.5 a second later; the grid's second point is the first that holds a value
    assertThat(printed.lines())
        .contains("1647281880270000000 1", "1647281881279999999 2")
        .contains("1647281890000000000 1.5")
        .doesNotContain("1647281880000000000 1.5")
        .anyMatch(line -> line.endsWith(" CONNECTED"));
  }

  private static void compile(Path source, Path into) throws Exception {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  List.of("-d", into.toString(), "-cp", System.getProperty("java.class.path")),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
  }

  private static String run(Path classes, String... arguments) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, JavaApiDocumentTest.class.getClassLoader())) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader
          .loadClass("Example")
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
