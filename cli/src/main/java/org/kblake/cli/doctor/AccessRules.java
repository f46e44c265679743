package org.kblake.cli.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.kblake.cli.access.CertificateFiles;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.ErrorLine;
import org.kblake.server.settings.AccessToken;

/** The rules for tokens and certificates, which end at a time. */
final class AccessRules {

  private static final Duration SOON = Duration.ofDays(14);

  private AccessRules() {}

  /**
   * Judges the tokens of a server.
   *
   * @param service the service whose clients send them
   */
  static Diagnosis judge(String service, TokenFile file, Instant now) {
    List<AccessToken> all = file.tokens().all();
    String ending =
        all.stream()
            .filter(token -> token.isExpired(now.plus(SOON)))
            .map(token -> token.name() + (token.isExpired(now) ? " has expired" : " expires soon"))
            .collect(Collectors.joining(", "));
    String found = service + ": " + all.size() + (all.size() == 1 ? " token" : " tokens");
    return ending.isEmpty()
        ? Diagnosis.ok("tokens", found)
        : Diagnosis.warning(
            "tokens",
            found + ", " + ending,
            "write a new line for each into " + file.path() + ", and remove the old one");
  }

  /** Judges the certificate of a server. */
  static Diagnosis judge(CertificateFiles files, Instant now) {
    Path file = files.files().certificate();
    Instant end;
    try {
      end = files.end();
    } catch (IOException e) {
      return Diagnosis.problem("tls", file + ": " + ErrorLine.of(e), "write a certificate in PEM");
    }
    String found = file + (end.isAfter(now) ? " ends at " : " has ended at ") + end;
    return end.isAfter(now.plus(SOON))
        ? Diagnosis.ok("tls", found)
        : Diagnosis.warning("tls", found, "get another one, as docs/operations.md describes");
  }
}
