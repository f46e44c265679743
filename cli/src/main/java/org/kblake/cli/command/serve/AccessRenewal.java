package org.kblake.cli.command.serve;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.kblake.cli.access.CertificateFiles;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.serve.ServeSetting;
import org.kblake.cli.serve.ServeSettings;
import org.kblake.cli.settings.SettingKey;
import org.kblake.server.TrendServer;
import org.kblake.server.settings.AccessToken;

/** Gives a server its tokens and its certificate again when their files have changed. */
final class AccessRenewal {

  private final ServeSettings settings;
  private final TrendServer server;
  private final Session session;

  AccessRenewal(ServeSettings settings, TrendServer server, Session session) {
    this.settings = settings;
    this.server = server;
    this.session = session;
  }

  private interface Reading {
    /** Applies a file if it has changed, and returns whether it has. */
    boolean run() throws IOException;
  }

  /** Says how many tokens there are, if clients need one. */
  void noteTokens() {
    TokenFile file = settings.tokenFile();
    if (file != null) {
      Instant now = session.now();
      List<AccessToken> all = file.tokens().all();
      long expired = all.stream().filter(token -> token.isExpired(now)).count();
      session.note("tokens: " + all.size() + (expired == 0 ? "" : ", expired: " + expired));
    }
  }

  /**
   * Looks at the files. A file that cannot be used is reported once, and what was read before it
   * stays in use.
   *
   * @param asked whether to read them in any case
   */
  void look(boolean asked) {
    TokenFile tokens = settings.tokenFile();
    if (tokens != null && read(ServeSetting.TOKEN_FILE, () -> renew(tokens, asked))) {
      noteTokens();
    }
    CertificateFiles certificate = settings.certificateFiles();
    if (certificate != null && read(ServeSetting.TLS_CERT, () -> renew(certificate, asked))) {
      session.note("certificate: read again");
    }
  }

  private boolean renew(TokenFile tokens, boolean asked) {
    if (!tokens.readAgain(asked)) {
      return false;
    }
    server.renewTokens(tokens.tokens());
    return true;
  }

  private boolean renew(CertificateFiles certificate, boolean asked) throws IOException {
    if (!certificate.haveChanged(asked)) {
      return false;
    }
    server.renewCertificate();
    return true;
  }

  private boolean read(SettingKey<?> key, Reading reading) {
    try {
      boolean isRead = reading.run();
      if (isRead) {
        server.showOutdated(key.name(), false);
      }
      return isRead;
    } catch (IOException | UsageException e) {
      server.showOutdated(key.name(), true);
      session.report(key.name() + " has changed, and the old one stays in use: " + ErrorLine.of(e));
      return false;
    }
  }
}
