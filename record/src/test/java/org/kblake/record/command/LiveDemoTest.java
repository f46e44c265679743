package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

/** {@code kblake demo --live}: from an IOC to columns and the page, until Ctrl-C. */
final class LiveDemoTest {

  @TempDir Path directory;

  @Test
  void theChainWorksAndItsDirectoryIsRemoved() throws Exception {
    Path temporary;
    try (RecorderProcess demo = RecorderProcess.start("demo", directory, Map.of(), "--live")) {
      demo.awaitLine("A record counts up");
      String page = line(demo, "  http://").replaceAll("\\?.*", "");
      temporary = Path.of(line(demo, "  cd ").substring(3));
      demo.await(() -> text(page + "api/v1/metadata?channel=BMLDCCT:CURRENT").contains("\"mA\""));
      demo.await(
          () ->
              text(page + "api/v1/trend?channel=BMLINJ:STATE&from=now-1h&to=now&bins=9")
                  .contains("\"labels\":[\"Off\",\"Fill\",\"Top-up\"]"));
      demo.await(
          () ->
              text(page + "api/v1/coverage?group=BM/RING&from=now-1h&to=now")
                  .contains("canary jumped"));
      demo.await(() -> isThere(temporary.resolve("columns"), "BM/RING"));
      assertThat(text(page + "metrics")).isNotEmpty();
      // A process that a shell started in the background ignores SIGINT.
      assertThat(demo.end("TERM")).isEqualTo(143);
      assertThat(demo.lines()).last().isEqualTo("stopped; the demo's directory is removed");
    }
    assertThat(temporary).doesNotExist();
  }

  private static String line(RecorderProcess demo, String begin) {
    return demo.lines().stream()
        .filter(each -> each.startsWith(begin))
        .findFirst()
        .orElseThrow()
        .strip();
  }

  private static boolean isThere(Path directory, String group) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.anyMatch(
          file -> file.toString().contains(group) && file.toString().endsWith(".parquet"));
    } catch (IOException | UncheckedIOException e) {
      return false; // a file was renamed meanwhile
    }
  }

  private static String text(String url) {
    try (InputStream in = new URI(url).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void twoFormsAtOnceAreAMistake() {
    KblakeRun run = KblakeRun.in(directory).run("demo", "--live", "--serve");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--live serves by itself");
  }
}
