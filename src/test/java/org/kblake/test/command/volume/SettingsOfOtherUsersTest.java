package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.OtherUser;
import org.kblake.test.fixture.TestStores;

/**
 * Files that the program obeys, when another user has written them or could write them. Whoever
 * writes kblake.toml chooses the archive of the answers, and opens ports.
 */
final class SettingsOfOtherUsersTest {

  private static final int OTHER = 4001;
  private static final String[] GET = {"get", "-g", "VA/CCG", "--last", "1", "*"};

  @TempDir private Path directory;
  private Path work = Path.of("");
  private Path settings = Path.of("");

  @BeforeEach
  void writeSettings() throws IOException {
    OtherUser.assumePossible(directory);
    TestStores.sample("mixed", directory.resolve("archive"));
    work = Files.createDirectory(directory.resolve("work"));
    settings = Files.writeString(work.resolve("kblake.toml"), "archive = \"../archive\"\n");
  }

  private void refused(Path in, String reason, String... words) {
    for (KblakeRun run : List.of(KblakeRun.in(in).run(words), KblakeRun.in(in).run("serve"))) {
      assertThat(run.status()).as(run.err()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).contains("kblake.toml: ", reason).hasLineCount(1);
    }
  }

  private void obeyed(Path in, String... words) {
    KblakeRun run = KblakeRun.in(in).run(words);
    assertThat(run.status()).as(run.err()).isZero();
  }

  @Test
  void fileOfAnotherUserInTheWorkingDirectoryIsRefused() throws IOException {
    obeyed(work, GET);
    Files.setAttribute(settings, "unix:uid", OTHER);
    refused(work, "file is of another user: uid=4001", GET);
    KblakeRun text = KblakeRun.in(work).kblogrd("-t", "20160516", "VA/CCG");
    assertThat(text.status()).isEqualTo(2);
    assertThat(text.err()).contains("file is of another user").hasLineCount(1);
  }

  @Test
  void linkToAFileOfAnotherUserIsRefused() throws IOException {
    Path target = Files.move(settings, directory.resolve("elsewhere.toml"));
    Files.createSymbolicLink(settings, target);
    Files.writeString(target, "archive = \"archive\"\n");
    Files.setAttribute(target, "unix:uid", OTHER);
    refused(work, "file is of another user", GET);
  }

  @Test
  void fileThatEveryUserMayWriteOrExchangeIsRefused() throws IOException {
    Files.setAttribute(settings, "unix:mode", 0666);
    refused(work, "every user may write the file", GET);
    Files.setAttribute(settings, "unix:mode", 0644);
    Files.setAttribute(work, "unix:mode", 0777);
    refused(work, "every user may exchange the file", GET);
    // Only the owner of a file may exchange it in a sticky directory, such as /tmp.
    Files.setAttribute(work, "unix:mode", 01777);
    obeyed(work, GET);
  }

  @Test
  void namedFileIsChecked() throws IOException {
    String[] named = {"--config", settings.toString(), "get", "-g", "VA/CCG", "--last", "1", "*"};
    obeyed(directory, named);
    Files.setAttribute(settings, "unix:uid", OTHER);
    KblakeRun run = KblakeRun.in(directory).run(named);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(settings + ": file is of another user");
    KblakeRun variable =
        KblakeRun.in(directory).with("KBLAKE_CONFIG", settings.toString()).run(GET);
    assertThat(variable.status()).isEqualTo(2);
    assertThat(variable.err()).contains(settings + ": file is of another user");
  }

  @Test
  void tokenAndKeyOfAServerAreChecked() throws IOException {
    Path token = Files.writeString(work.resolve("token"), "0123456789abcdef\n");
    Files.setAttribute(token, "unix:mode", 0666);
    assertThat(KblakeRun.in(work).run("serve", "--token-file=token").err())
        .contains("--token-file: ", "token: every user may write the file");
    Files.setAttribute(token, "unix:uid", OTHER);
    Files.setAttribute(token, "unix:mode", 0600);
    assertThat(KblakeRun.in(work).run("serve", "--token-file=token").err())
        .contains("--token-file: ", "token: file is of another user");
    assertThat(KblakeRun.in(work).run("serve", "--tls-cert=token", "--tls-key=token").err())
        .contains("--tls-key: ", "token: file is of another user");
  }
}
