package org.kblake.cli.command.serve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.kblake.cli.command.shared.AccessRenewal;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.TableOptions;
import org.kblake.cli.serve.ServeSetting;
import org.kblake.cli.serve.ServeSettings;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.Settings;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;
import org.kblake.server.ServerSettings;
import org.kblake.server.TrendServer;
import org.kblake.server.settings.AccessTokens;

/** {@code kblake serve}: serves the archive over HTTP, until it is stopped. */
public final class ServeCommand implements Command {

  /** Requests in work have 5 s to end, and 5 s more after their connections are cut. */
  private static final long STOP_SECONDS = 15;

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
    serve.files().readableSecrets().forEach(session::report);
    return Stoppable.runQuietly(() -> serve(serve), STOP_SECONDS);
  }

  private int serve(ServeSettings serve) throws IOException, InterruptedException {
    ListenAddress address = serve.listen();
    AccessRenewal renewal = new AccessRenewal(serve.files(), session);
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
      renewal.lookAgain(renewed(server));
      return ExitStatus.DONE;
    }
  }

  private static AccessRenewal.Server renewed(TrendServer server) {
    return new AccessRenewal.Server() {
      @Override
      public void renewTokens(AccessTokens tokens) {
        server.renewTokens(tokens);
      }

      @Override
      public void renewCertificate() throws IOException {
        server.renewCertificate();
      }

      @Override
      public void showOutdated(String key, boolean isOutdated) {
        server.showOutdated(key, isOutdated);
      }

      @Override
      public void look() {
        // The server asks for the end of a token at each request.
      }
    };
  }
}
