package org.kblake.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A token or key that every user of the host can read is no secret. */
final class ReadableSecretTest {

  @TempDir private Path directory;

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void aSecretThatEveryUserCanReadIsNamed() throws IOException {
    mode(directory, "rwxr-xr-x");
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Path secret = Files.writeString(inner.resolve("token"), "0123456789abcdef\n");
    Path link = Files.createSymbolicLink(directory.resolve("link"), secret);
    mode(inner, "rwxr-xr-x");
    mode(secret, "rw-r--r--");
    assertThat(TrustedFile.readableByAll(List.of(secret, link)))
        .containsExactly(
            secret + ": every user of this host can read the secret; chmod o-r " + secret,
            link + ": every user of this host can read the secret; chmod o-r " + link);

    mode(secret, "rw-r-----");
    assertThat(TrustedFile.readableByAll(List.of(secret, link))).isEmpty();
  }

  /** As in the directory of a service that only its user may enter. */
  @Test
  void aDirectoryThatOthersCannotEnterKeepsTheSecret() throws IOException {
    mode(directory, "rwxr-xr-x");
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Path secret = Files.writeString(inner.resolve("token"), "0123456789abcdef\n");
    mode(secret, "rw-r--r--");
    mode(inner, "rwx------");
    assertThat(TrustedFile.readableByAll(List.of(secret))).isEmpty();
  }

  @Test
  void aSecretThatIsMissingIsReportedByItsReader() {
    assertThat(TrustedFile.readableByAll(List.of(directory.resolve("none")))).isEmpty();
  }
}
