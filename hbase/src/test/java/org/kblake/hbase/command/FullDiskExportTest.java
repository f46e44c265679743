package org.kblake.hbase.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeProcess;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.core.model.Group;
import org.kblake.hbase.fixture.Answers;

/** The disk of the files is full, as reported by the operating system. */
final class FullDiskExportTest {

  @TempDir private Path directory;

  private record Ended(int status, String out) {}

  private Ended shell(String script) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", script)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), out);
  }

  private static String kblake() {
    return "'" + String.join("' '", KblakeProcess.command()) + "' ";
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 6 s of a processor")
  @Test
  void aFullDiskIsNamedAndNothingIsLost() throws Exception {
    assumeThat(shell("unshare -rm mount -t tmpfs tmpfs /mnt").status())
        .as("needs user name spaces")
        .isZero();
    Path archive = directory.resolve("archive");
    RandomLogs.write(archive, 1);
    Files.createDirectory(directory.resolve("hfiles"));
    Files.createDirectory(directory.resolve("restored"));
    String range = " --from 2020-02-20 --to 2020-03-10 ";
    String export = "export hbase t --archive archive --files hfiles --compression none" + range;
    Ended ended =
        shell(
            "unshare -rm sh -c \"mount -t tmpfs -o size=60k tmpfs hfiles; "
                + kblake()
                + export
                + "; echo status \\$?; mount -o remount,size=20m hfiles; "
                + kblake()
                + export
                + "; echo status \\$?; mount -t tmpfs -o size=60k tmpfs restored; "
                + kblake()
                + "import hbase t restored/logs --files hfiles; echo status \\$?; ls -A restored;"
                + " mount -o remount,size=20m restored; "
                + kblake()
                + "import hbase t restored/logs --files hfiles; echo status \\$?; cp -r restored/logs"
                + " copied\"");
    assertThat(ended.out().lines().filter(line -> line.startsWith("status")))
        .as(ended.out())
        .containsExactly("status 1", "status 0", "status 1", "status 0");
    List<String> errors =
        ended.out().lines().filter(line -> line.contains("disk is full")).toList();
    assertThat(errors).as(ended.out()).hasSize(2);
    assertThat(errors.get(0)).startsWith("kblake export hbase: ").contains("directory=hfiles");
    assertThat(errors.get(1)).startsWith("kblake import hbase: ").contains("restored/logs");
    Map<Group, List<String>> expected = Answers.ofGroups(archive, RandomLogs.EVERYTHING);
    assertThat(Answers.ofGroups(directory.resolve("copied"), RandomLogs.EVERYTHING))
        .isEqualTo(expected);
  }
}
