package org.kblake.record.command;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.record.channelaccess.ChannelAccessSource;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.EpicsEnvironment;
import org.kblake.record.host.HostSource;
import org.kblake.record.perf.PerfSettings;
import org.kblake.record.perf.PerfSource;
import org.kblake.record.pvaccess.PvAccessEnvironment;
import org.kblake.record.pvaccess.PvAccessSource;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CombinedSource;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;

/** The sources of channels, as the environment of EPICS and the settings say. */
final class LiveSources {

  private static final String PV_ACCESS = "EPICS_PVA_";

  private final Map<String, String> variables;
  private final EpicsEnvironment.Result channelAccess;
  private final PvAccessEnvironment.Result pvAccess;

  /**
   * Reads the environment.
   *
   * @param variables such as {@link System#getenv()}
   */
  LiveSources(Map<String, String> variables) {
    this.variables = variables;
    channelAccess = EpicsEnvironment.read(variables);
    pvAccess = PvAccessEnvironment.read(variables);
  }

  /**
   * Returns what an operator should know of the variables.
   *
   * @param settings the settings, which may ask for no server
   * @param isPvAccessUsed whether channels are known to come over PV Access; otherwise this is so
   *     if a variable of it is set
   */
  List<String> notes(RecordSettings settings, boolean isPvAccessUsed) {
    if (settings.isOfThisMachine()) {
      return List.of();
    }
    List<String> notes = new ArrayList<>(channelAccess.notes());
    if (isPvAccessUsed || variables.keySet().stream().anyMatch(key -> key.startsWith(PV_ACCESS))) {
      notes.addAll(pvAccess.notes());
    }
    return notes;
  }

  /** Starts the sources, as one. */
  ChannelSource start(RecordSettings settings) {
    ChannelAccessSettings used = settings.channelAccess(channelAccess.settings());
    EventQueue events = new EventQueue(new EventRing(used.ringBytes()));
    if (settings.isOfThisMachine()) {
      return ofThisMachine(settings, events);
    }
    ChannelAccessSource first = ChannelAccessSource.start(used, events, Clock.systemUTC());
    PvAccessSource second = PvAccessSource.start(pvAccess.settings(), events, first.searchBudget());
    return new CombinedSource(first, Map.of(PvAccessSource.PREFIX, second));
  }

  private static ChannelSource ofThisMachine(RecordSettings settings, EventQueue events) {
    HostSource counters = HostSource.start(settings.host(), events);
    if (!settings.isOfCores()) {
      return counters;
    }
    PerfSettings perf = settings.perf();
    return new CombinedSource(counters, Map.of(perf.channels(), PerfSource.start(perf, events)));
  }
}
