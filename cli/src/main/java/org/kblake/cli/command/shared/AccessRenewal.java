package org.kblake.cli.command.shared;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.access.CertificateFiles;
import org.kblake.cli.access.ServerAccess;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.process.ProcessSignal;
import org.kblake.cli.settings.SettingKey;
import org.kblake.server.settings.AccessToken;
import org.kblake.server.settings.AccessTokens;

/** Gives a server its tokens and its certificate again when their files have changed. */
public final class AccessRenewal {

  private static final long LOOK_SECONDS = 2;

  private final ServerAccess access;
  private final Session session;
  private final Semaphore hangUps = new Semaphore(0);

  /** Begins to listen to SIGHUP. */
  public AccessRenewal(ServerAccess access, Session session) {
    this.access = access;
    this.session = session;
    if (!session.environment().errIsTerminal()) {
      // On a terminal the signal says that the terminal is gone, which ends the process. Elsewhere
      // it must not end a process that has just begun to answer.
      ProcessSignal.listen("HUP", hangUps::release);
    }
  }

  /** What gets tokens and certificate. */
  public interface Server {
    /** Admits other tokens from now on. */
    void renewTokens(AccessTokens tokens);

    /** Reads the files of TLS again. */
    void renewCertificate() throws IOException;

    /** Shows whether a file has changed and cannot be used. */
    void showOutdated(String key, boolean isOutdated);

    /** Is called at each look, whether a file has changed or not. */
    void look() throws IOException;
  }

  private interface Reading {
    /** Applies a file if it has changed, and returns whether it has. */
    boolean run() throws IOException;
  }

  /** Looks at the files, each 2 s and on SIGHUP, until the thread is interrupted. */
  public void lookAgain(Server server) throws IOException, InterruptedException {
    noteTokens();
    while (!Thread.currentThread().isInterrupted()) {
      boolean asked = hangUps.tryAcquire(LOOK_SECONDS, TimeUnit.SECONDS);
      hangUps.drainPermits();
      look(server, asked);
      server.look();
    }
  }

  /** Says how many tokens there are, if clients need one. */
  private void noteTokens() {
    TokenFile file = access.tokens();
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
  private void look(Server server, boolean asked) {
    TokenFile tokens = access.tokens();
    if (tokens != null
        && read(server, access.keys().tokens(), () -> renew(server, tokens, asked))) {
      noteTokens();
    }
    CertificateFiles certificate = access.certificate();
    if (certificate != null
        && read(server, access.keys().certificate(), () -> renew(server, certificate, asked))) {
      session.note("certificate: read again");
    }
  }

  private static boolean renew(Server server, TokenFile tokens, boolean asked) {
    if (!tokens.readAgain(asked)) {
      return false;
    }
    server.renewTokens(tokens.tokens());
    return true;
  }

  private static boolean renew(Server server, CertificateFiles certificate, boolean asked)
      throws IOException {
    if (!certificate.haveChanged(asked)) {
      return false;
    }
    server.renewCertificate();
    return true;
  }

  private boolean read(Server server, SettingKey<?> key, Reading reading) {
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
