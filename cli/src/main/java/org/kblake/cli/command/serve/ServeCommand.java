package org.kblake.cli.command.serve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.TableOptions;
import org.kblake.cli.process.ProcessSignal;
import org.kblake.cli.serve.ServeSetting;
import org.kblake.cli.serve.ServeSettings;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.Settings;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;
import org.kblake.server.ServerSettings;
import org.kblake.server.TrendServer;

/** {@code kblake serve}: serves the archive over HTTP, until it is stopped. */
public final class ServeCommand implements Command {

  /** Requests in work have 5 s to end, and 5 s more after their connections are cut. */
  private static final long STOP_SECONDS = 15;

  private static final long LOOK_SECONDS = 2;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("serve", "Serve the archive over HTTP: trends, data, a page.")
          .description(
              "",
              "Answers browsers, Phoebus, Grafana and Python clients, until it is stopped. It is"
                  + " read-only, and is a process of its own beside kblake run.")
          .footer("  kblake serve", "  kblake serve --listen 127.0.0.1:8080");

  private final TableOptions options = model.table(ServeSetting.TABLE);

  public ServeCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    List<String> problems = new ArrayList<>();
    Settings settings = session.readSettings(null, problems::add);
    ServeSettings serve = ServeSettings.of(settings, options.given(), problems::add);
    if (!problems.isEmpty()) {
      throw new UsageException(String.join("; ", problems));
    }
    serve.readableSecrets().forEach(session::report);
    return Stoppable.runQuietly(() -> serve(serve), STOP_SECONDS);
  }

  /** Looks at the files of tokens and certificate, until the thread is interrupted. */
  private static void lookAgain(AccessRenewal renewal, Semaphore hangUps)
      throws InterruptedException {
    while (!Thread.currentThread().isInterrupted()) {
      boolean asked = hangUps.tryAcquire(LOOK_SECONDS, TimeUnit.SECONDS);
      hangUps.drainPermits();
      renewal.look(asked);
    }
  }

  private int serve(ServeSettings serve) throws IOException, InterruptedException {
    ListenAddress address = serve.listen();
    Semaphore hangUps = new Semaphore(0);
    if (!session.environment().errIsTerminal()) {
      // On a terminal the signal says that the terminal is gone, which ends the process. Elsewhere
      // it must not end a process that has just begun to answer.
      ProcessSignal.listen("HUP", hangUps::release);
    }
    // Jetty needs all locales of the JDK. To find them takes as long as the rest of the start.
    new Thread(Locale::getAvailableLocales, "kblake-locales").start();
    try (ArchiveReader reader = ReaderOpening.open(session, Source.AUTO);
        TrendServer server =
            TrendServer.start(
                reader,
                new ServerSettings(
                    address.socketAddress(),
                    session.settings().zone(),
                    session.environment().clock(),
                    session.settings().get(CommonSetting.LOOK_BACK),
                    serve.access(),
                    serve.limits(),
                    serve.get(ServeSetting.REQUEST_LOG) ? session::report : null))) {
      session.note(
          "serving "
              + session.settings().archive()
              + (serve.access().tls() == null ? " at http://" : " at https://")
              + address.host()
              + ":"
              + server.port()
              + "/; Ctrl-C ends it");
      session.noteSettingsFile();
      AccessRenewal renewal = new AccessRenewal(serve, server, session);
      renewal.noteTokens();
      lookAgain(renewal, hangUps);
      return ExitStatus.DONE;
    }
  }
}
