package org.kblake.cli.command.service;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.CertificateFiles;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.command.shared.AccessRenewal;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.TableOptions;
import org.kblake.cli.gather.GatherSetting;
import org.kblake.cli.gather.GatherSettings;
import org.kblake.cli.gather.GatherTls;
import org.kblake.cli.run.status.MetricsServer;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.Settings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.collect.CollectorSettings;
import org.kblake.transfer.collect.CollectorSettings.Endpoint;

/** {@code kblake gather}: gives growing logs to builders. */
public final class GatherCommand implements Command {

  private static final long STOP_SECONDS = 8;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("gather", "Give growing logs to kblake run on other hosts.")
          .description(
              "",
              "Sends what is appended to the logs and indexes of the archive within milliseconds to"
                  + " builders: hosts whose kblake run names this one in gather = [\"HOST:PORT\"]"
                  + " of [run]. Runs on the host that writes the logs, until it is stopped. It is"
                  + " read-only. Both sides may be killed at any moment.",
              "",
              "With --events it builds rows of kblake build from the channels of several hosts: a"
                  + " manager assigns each event to a builder, and each collector sends it a"
                  + " fragment of the row by UDP.")
          .footer("  kblake gather --listen 127.0.0.1:0");

  private final Flag tc =
      model.flag(
          "Print a script that shapes the network by the keys tc-... of [gather], and ends it.",
          "--tc");
  private final TableOptions options = model.table(GatherSetting.TABLE);
  private final GatherEvents events;

  public GatherCommand(Session session) {
    this.session = session;
    events = new GatherEvents(session, model);
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    List<String> problems = new ArrayList<>();
    Settings settings = session.readSettings(null, problems::add);
    GatherSettings gather = GatherSettings.of(settings, options.given(), problems::add);
    if (!problems.isEmpty()) {
      throw new UsageException(String.join("; ", problems));
    }
    if (tc.isSet()) {
      session.out().write(gather.shaping().getBytes(StandardCharsets.UTF_8));
      return 0;
    }
    if (events.isAsked()) {
      return events.run(gather, log(), STOP_SECONDS);
    }
    gather.access().readableSecrets().forEach(session::report);
    return Stoppable.runQuietly(() -> collect(settings, gather), STOP_SECONDS);
  }

  private int collect(Settings settings, GatherSettings gather)
      throws IOException, InterruptedException {
    AccessRenewal renewal = new AccessRenewal(gather.access(), session);
    CertificateFiles certificate = gather.access().certificate();
    GatherTls tls = certificate == null ? null : new GatherTls(certificate.files());
    try (Collector collector =
        Collector.start(
            new CollectorSettings(
                settings.archive(),
                new Endpoint(
                    gather.listen().socketAddress(),
                    gather.dataAddress(),
                    tls,
                    gather::refusal,
                    gather.limits()),
                gather.builders(),
                gather.get(GatherSetting.TIMEOUT),
                log()))) {
      session.note(
          "giving logs of "
              + settings.archive()
              + " at "
              + gather.listen().host()
              + ":"
              + collector.address().getPort()
              + "; Ctrl-C ends it");
      try (MetricsServer metrics = listen(gather, new GatherMetrics(collector))) {
        if (metrics != null) {
          InetSocketAddress at = metrics.address();
          session.note("metrics: http://" + at.getHostString() + ":" + at.getPort() + "/metrics");
        }
        renewal.lookAgain(renewed(collector, tls));
      }
      return ExitStatus.DONE;
    }
  }

  private static @Nullable MetricsServer listen(GatherSettings gather, GatherMetrics metrics)
      throws IOException {
    ListenAddress address = gather.find(GatherSetting.METRICS_LISTEN);
    TokenFile tokens = gather.access().tokens();
    return address == null
        ? null
        : MetricsServer.start(
            address, () -> tokens == null ? null : tokens.tokens(), metrics::scrape, () -> null);
  }

  private static AccessRenewal.Server renewed(Collector collector, @Nullable GatherTls tls) {
    return new AccessRenewal.Server() {
      @Override
      public void renewTokens(AccessTokens tokens) {
        // Each decision asks for the tokens of the file.
      }

      @Override
      public void renewCertificate() throws IOException {
        if (tls != null) {
          tls.renew();
        }
      }

      @Override
      public void showOutdated(String key, boolean isOutdated) {
        // A line says so.
      }

      @Override
      public void look() throws IOException {
        collector.endRefused();
      }
    };
  }

  private TransferLog log() {
    return new TransferLog() {
      @Override
      public void info(String message) {
        session.note(message);
      }

      @Override
      public void warn(String message) {
        session.report(message);
      }
    };
  }
}
