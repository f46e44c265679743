package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.document.DocumentWriter;

/** What bash completes of the commands of this extension, from the files of both tarballs. */
final class RecordCompletionTest {

  private static final Path FRAME =
      Path.of("..", "cli", "src", "main", "completion", "kblake.bash");

  @TempDir private Path directory;

  /** The main tarball is made without the jars of extensions: its script does not know options. */
  @BeforeEach
  void writeScripts() throws IOException {
    Path program = Files.createDirectories(directory.resolve("bin")).resolve("kblake");
    Files.writeString(program, "#!/bin/sh\necho VA/CCG\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Path script = directory.resolve("kblake.bash");
    Files.writeString(
        script,
        Files.readString(FRAME)
            .replaceFirst(
                "(?m)^# \\(the build inserts.*$",
                "' arguments') kind='words record import' ;;\n"
                    + "'record options' | 'import options') kind='words ' ;;"));
    DocumentWriter.main(new String[] {directory.toString(), "record"});
  }

  private void install() throws IOException {
    Path place = Files.createDirectories(directory.resolve("extensions/record"));
    Files.move(directory.resolve("completion.bash"), place.resolve("completion.bash"));
  }

  private List<String> completed(String line) throws Exception {
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                ". ./kblake.bash; COMP_WORDBREAKS=; COMP_LINE=$1; COMP_POINT=${#COMP_LINE};"
                    + " _kblake; printf '%s\\n"
                    + "' \"${COMPREPLY[@]}\"",
                "bash",
                line)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    return out.lines().filter(each -> !each.isEmpty()).toList();
  }

  @Test
  void optionsOfTheRecorderComplete() throws Exception {
    assertThat(completed("bin/kblake record --ch")).isEmpty();
    install();
    assertThat(completed("bin/kblake record --ch")).containsExactly("--check");
    assertThat(completed("bin/kblake record --sou")).containsExactly("--source");
    assertThat(completed("bin/kblake record --standby V")).containsExactly("VA/CCG");
    assertThat(completed("bin/kblake rec")).containsExactly("record");
  }

  @Test
  void importsComplete() throws Exception {
    install();
    assertThat(completed("bin/kblake import ")).containsExactly("aa", "jdbc");
    assertThat(completed("bin/kblake import aa --gr")).containsExactly("--group");
    assertThat(completed("bin/kblake import jdbc --q")).containsExactly("--query");
  }
}
