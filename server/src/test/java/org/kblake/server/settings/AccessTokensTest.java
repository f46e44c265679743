package org.kblake.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of tokens: what a line may be, and what it must not be. */
final class AccessTokensTest {

  private static final String ONE = "0123456789abcdef";
  private static final String OTHER = "fedcba9876543210";

  /** The SHA-256 of {@link #OTHER}, as sha256sum prints it. */
  private static final String HASH =
      "sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843";

  @TempDir private Path directory;

  private AccessTokens read(String text) throws IOException {
    return AccessTokens.read(Files.writeString(directory.resolve("tokens"), text));
  }

  private AccessToken found(AccessTokens tokens, String text) {
    return Objects.requireNonNull(tokens.find(text));
  }

  /** The file of earlier versions. */
  @Test
  void aLineAloneIsATokenWithoutAName() throws IOException {
    for (String text : List.of(ONE, ONE + "\n", "\n " + ONE + " \r\n\n")) {
      AccessTokens tokens = read(text);
      assertThat(tokens.all()).hasSize(1);
      assertThat(found(tokens, ONE).name()).isEmpty();
      assertThat(found(tokens, ONE).end()).isNull();
      assertThat(tokens.find(OTHER)).isNull();
      assertThat(tokens.find("")).isNull();
    }
  }

  @Test
  void aLineHasNameAndLastDay() throws IOException {
    AccessTokens tokens =
        read(
            "# readers\nphoebus 2027-03-31 "
                + ONE
                + "  # of the control room\n\n\tgrafana\t"
                + OTHER
                + "\n");
    assertThat(tokens.all()).extracting(AccessToken::name).containsExactly("phoebus", "grafana");
    AccessToken token = found(tokens, ONE);
    assertThat(token.end()).isEqualTo(Instant.parse("2027-04-01T00:00:00Z"));
    assertThat(token.isExpired(Instant.parse("2027-03-31T23:59:59Z"))).isFalse();
    assertThat(token.isExpired(Instant.parse("2027-04-01T00:00:00Z"))).isTrue();
    assertThat(token.expiry()).contains("phoebus", "2027-03-31").doesNotContain(ONE);
    assertThat(found(tokens, OTHER).isExpired(Instant.MAX)).isFalse();
  }

  @Test
  void aHashStandsForAToken() throws IOException {
    AccessTokens tokens = read("grafana " + HASH + "\n");
    assertThat(found(tokens, OTHER).name()).isEqualTo("grafana");
    assertThat(tokens.find(HASH)).as("the hash is no token").isNull();
    assertThat(read("grafana " + OTHER).has(found(tokens, OTHER))).isTrue();
    assertThat(read("grafana " + ONE).has(found(tokens, OTHER))).isFalse();
  }

  @Test
  void withoutTokensNobodyIsAdmitted() throws IOException {
    AccessTokens tokens = read("# all are revoked\n");
    assertThat(tokens.all()).isEmpty();
    assertThat(tokens.find("")).isNull();
  }

  private void refused(String text, String reason) {
    assertThatThrownBy(() -> read(text))
        .as(text)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason)
        .hasMessageContaining(directory.resolve("tokens").toString())
        .extracting(Throwable::getMessage)
        .asString()
        .as("no message has a token")
        .doesNotContain(ONE)
        .doesNotContain("short");
  }

  @Test
  void aWrongLineIsNamedWithoutItsToken() {
    refused("a " + ONE + "\nb short\n", "line 2 of ");
    refused("short", "16 to 512 letters");
    refused(ONE + "!", "16 to 512 letters");
    refused("a sha256:00", "sha256: and 64");
    refused("a " + HASH + "0", "sha256: and 64");
    refused("a " + HASH.toUpperCase(java.util.Locale.ROOT), "sha256: and 64");
    refused("a 2027-02-30 " + ONE, "YYYY-MM-DD");
    refused("a tomorrow " + ONE, "YYYY-MM-DD");
    refused("a b c " + ONE, "NAME LAST-DAY TOKEN");
    refused("a@b " + ONE, "NAME LAST-DAY TOKEN");
    refused("a " + ONE + "\n" + OTHER + "\n", "needs a name");
    refused("a " + OTHER + "\nb " + HASH + "\n", "line 2 of ");
    refused("x".repeat(1 << 20) + "\n", "longer than");
  }
}
