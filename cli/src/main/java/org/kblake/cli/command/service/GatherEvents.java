package org.kblake.cli.command.service;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kblake.cli.command.get.EventInstants;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.gather.GatherSetting;
import org.kblake.cli.gather.GatherSettings;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.event.EventBuilder;
import org.kblake.transfer.event.EventCollector;
import org.kblake.transfer.event.EventManager;
import org.kblake.transfer.event.EventPlan;
import org.kblake.transfer.event.EventReport;
import org.kblake.transfer.event.EventSettings;

/** The options of {@code kblake gather --events}, and its work. */
final class GatherEvents {

  private static final Pattern SYSTEM = Pattern.compile("([1-9]\\d?)x([1-9]\\d?)");
  private static final int MOST = 64;
  private static final int OUT_BYTES = 1 << 16;

  /** What a process is. */
  enum Role {
    COLLECTOR,
    BUILDER,
    MANAGER
  }

  /** Who begins. */
  enum By {
    PUSH,
    PULL
  }

  /** What carries fragments. */
  enum Over {
    UDP,
    TCP
  }

  private final Session session;
  private final OptionalValue<Role> role;
  private final OptionalValue<String> manager;
  private final OptionalValue<String> name;
  private final Value<String> system;
  private final OptionalValue<String> event;
  private final Flag each;
  private final RangeOptions times;
  private final Value<By> by;
  private final Value<Over> over;
  private final OptionalValue<Double> rate;
  private final Value<Integer> window;
  private final Value<Duration> deadline;
  private final OptionalValue<Duration> limit;
  private final Values<String> channels;

  GatherEvents(Session session, CommandModel model) {
    this.session = session;
    channels = model.arguments(String.class, "CHANNEL", "With --events manager: names and globs.");
    role =
        model.value(
            Role.class,
            "ROLE",
            "Build events from several collectors: collector, builder or manager.",
            "--events");
    manager =
        model.value(String.class, "HOST:PORT", "Where the manager of events listens.", "--manager");
    name = model.value(String.class, "NAME", "Name of a collector or builder of events.", "--name");
    system =
        model.preset(
            String.class,
            "1x1",
            "MxN",
            "The manager waits for M collectors, N builders.",
            "--system");
    event =
        model.value(
            String.class, "CONDITION", "The events, as kblake build takes them.", "--event");
    each = model.flag("Every value that meets the condition is an event.", "--each");
    times = new RangeOptions(model);
    by =
        model.preset(
            By.class, "push", "WAY", "push: collectors send at once; pull: builders ask.", "--by");
    over = model.preset(Over.class, "udp", "WAY", "udp, or tcp to compare.", "--over");
    rate = model.value(Double.class, "HERTZ", "Events a second; default: no limit.", "--rate");
    window =
        model.preset(Integer.class, "16", "N", "Events that a builder has at a time.", "--window");
    deadline =
        model.preset(
            Duration.class, "1s", "DURATION", "An event has so long to be whole.", "--deadline");
    limit =
        model.value(Duration.class, "DURATION", "Assign no more events after this time.", "--for");
  }

  boolean isAsked() {
    if (role.get() == null && !channels.get().isEmpty()) {
      throw new UsageException("channels are for --events manager only");
    }
    return role.get() != null;
  }

  int run(GatherSettings gather, TransferLog log, long stopSeconds) throws IOException {
    ListenAddress listen = gather.listen();
    boolean local = listen.isLoopback() && gather.dataAddress().getAddress().isLoopbackAddress();
    if (!local && !gather.get(GatherSetting.INSECURE)) {
      throw new UsageException(
          "events go by datagrams without token and TLS: other hosts need --insecure");
    }
    if (role.get() == Role.MANAGER) {
      EventPlan plan = plan();
      return Stoppable.run(session, "not all events are built", () -> manage(plan, gather, log));
    }
    String address = manager.get();
    if (address == null) {
      throw new UsageException("give --manager HOST:PORT");
    }
    String given = name.get();
    EventSettings settings =
        new EventSettings(
            given == null ? InetAddress.getLocalHost().getHostName() : given,
            ListenAddress.parse(address).socketAddress(),
            gather.dataAddress(),
            gather.get(GatherSetting.TIMEOUT),
            gather.limits(),
            log);
    return Stoppable.runQuietly(
        role.get() == Role.BUILDER ? () -> build(settings) : () -> collect(settings), stopSeconds);
  }

  private int collect(EventSettings settings) throws IOException, InterruptedException {
    try (EventCollector collector = new EventCollector(settings, FragmentRows.source(session))) {
      collector.run();
      return ExitStatus.DONE;
    }
  }

  private int build(EventSettings settings) throws IOException, InterruptedException {
    try (BufferedOutputStream out = new BufferedOutputStream(session.out(), OUT_BYTES);
        EventBuilder builder = new EventBuilder(settings, new BuiltLines(out))) {
      session.note("the kernel keeps " + builder.bufferBytes() + " bytes of datagrams");
      builder.run();
      return ExitStatus.DONE;
    }
  }

  private EventPlan plan() throws IOException {
    Matcher form = SYSTEM.matcher(system.get());
    Double hertz = rate.get();
    Duration most = deadline.get();
    if (!form.matches() || number(form, 1) > MOST || number(form, 2) > MOST) {
      throw new UsageException("--system is not MxN from 1x1 to 64x64: " + system.get());
    }
    if (window.get() < 1 || window.get() > EventManager.MOST_WINDOW) {
      throw new UsageException("--window must be from 1 to " + EventManager.MOST_WINDOW);
    }
    if ((hertz != null && !(hertz > 0 && hertz <= 1e6)) || most.isZero()) {
      throw new UsageException("--rate must be above 0 and at most 1e6, --deadline above 0s");
    }
    return new EventPlan(
        channels.get(),
        instants(),
        number(form, 1),
        number(form, 2),
        by.get() == By.PULL,
        over.get() == Over.TCP,
        window.get(),
        most,
        hertz,
        limit.get());
  }

  private static int number(Matcher form, int group) {
    return Integer.parseInt(form.group(group));
  }

  private List<Long> instants() throws IOException {
    String condition = event.get();
    TimeRange range = times.range(session, true);
    if (condition == null || channels.get().isEmpty() || range.fromNanos() == Long.MIN_VALUE) {
      throw new UsageException("--events manager needs --event CONDITION, --from, and channels");
    }
    EventInstants asked =
        EventInstants.of(session, condition, each.isSet(), List.of(), Source.AUTO);
    try (ArchiveReader archive = ReaderOpening.open(session, Source.AUTO)) {
      List<Long> nanos = asked.find(archive, range).nanos();
      if (nanos.isEmpty()) {
        throw new IOException("the condition begins to be met at no time of the range");
      }
      return nanos;
    }
  }

  private int manage(EventPlan plan, GatherSettings gather, TransferLog log)
      throws IOException, InterruptedException {
    try (EventManager events =
        new EventManager(gather.listen().socketAddress(), gather.get(GatherSetting.TIMEOUT), log)) {
      EventReport report = events.run(plan);
      report.names().forEach(session::report);
      session.out().write((json(report) + "\n").getBytes(StandardCharsets.UTF_8));
      session.out().flush();
      boolean whole = report.problem() == null && report.lost() == 0 && limit.get() != null;
      return whole || report.built() == plan.nanos().size()
          ? ExitStatus.DONE
          : ExitStatus.INCOMPLETE;
    }
  }

  private static String json(EventReport report) {
    return String.format(
        Locale.ROOT,
        "{\"events\":%d,\"assigned\":%d,\"built\":%d,\"lost\":%d,\"again\":%d,\"seconds\":%.3f,"
            + "\"bytesSent\":%d,\"bytesBuilt\":%d,\"late\":%d,\"twice\":%d,\"strange\":%d,"
            + "\"dropped\":%d,\"repeated\":%d,\"unsent\":%d}",
        report.events(),
        report.assigned(),
        report.built(),
        report.lost(),
        report.again(),
        report.seconds(),
        report.collectors().bytes(),
        report.builders().bytes(),
        report.builders().late(),
        report.builders().twice(),
        report.builders().strange(),
        report.builders().dropped(),
        report.builders().repeated(),
        report.collectors().late());
  }
}
