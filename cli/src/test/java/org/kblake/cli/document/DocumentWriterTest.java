package org.kblake.cli.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.RootCommand;

final class DocumentWriterTest {

  @TempDir private Path directory;

  private void write() throws IOException {
    DocumentWriter.main(new String[] {directory.toString(), "src/main/completion/kblake.bash"});
  }

  /** The page of the recorder is in its own tarball: two packages cannot have one file. */
  @Test
  void everyCommandHasAPageAndCompletes() throws IOException {
    write();

    String completion = Files.readString(directory.resolve("completion/kblake.bash"));
    for (String command : RootCommand.model().getSubcommands().keySet()) {
      Path page = directory.resolve("man/man1/kblake-" + command + ".1");
      assertThat(Files.exists(page)).as(command).isEqualTo(!command.equals("record"));
      assertThat(completion).contains(command);
    }
  }

  @Test
  void pageHasTheTextsOfHelp() throws IOException {
    write();

    assertThat(Files.readString(directory.resolve("man/man1/kblake-channels.1")))
        .startsWith(".TH \"KBLAKE-CHANNELS\" 1")
        .contains(".SH NAME\nkblake\\-channels \\- List the channels")
        .contains("\\fB\\-i\\fR, \\fB\\-\\-ignore\\-case\\fR\n")
        .contains("kblake(1) describes common options and settings.")
        .doesNotContain("color", "KBLAKE_ZONE")
        .contains(".SH EXIT STATUS\n.TP\n\\fB0\\fR\ndone")
        .contains(".SH EXAMPLES\nThey run in the directory of kblake demo \\-\\-keep.\n.nf\n")
        .contains("\\fBkblake\\fR(1)");
  }

  @Test
  void pageOfTheProgramHasOptionsOfAllCommandsAndSettings() throws IOException {
    write();

    assertThat(Files.readString(directory.resolve("man/man1/kblake.1")))
        .contains("\\fB\\-\\-color\\fR=\\fIWHEN\\fR\nUse colours: auto, always, never")
        .contains("\\fBzone\\fR, \\fBKBLAKE_ZONE\\fR");
    assertThat(Files.readString(directory.resolve("man/man1/kblake-run.1")))
        .contains("\\fBrun.poll\\fR");
  }

  @Test
  void linesThatLookLikeMacrosStayText() throws IOException {
    write();

    // A page consists of these macros only. Anything else in the first column is a mistake.
    try (var pages = Files.list(directory.resolve("man/man1"))) {
      for (Path page : pages.toList()) {
        assertThat(Files.readAllLines(page))
            .filteredOn(line -> line.startsWith(".") || line.startsWith("'"))
            .allMatch(line -> line.matches("\\.(TH|SH|TP|PP|nf|fi)( .*)?"));
      }
    }
  }
}
