package org.kblake.record.command;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.core.model.Group;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.DisconnectReason;

/**
 * Gathers disconnections until they are logged: one line for a group and a reason, however many
 * channels a server has. For one thread.
 */
final class Disconnections {

  private static final String SEVERAL = "several";

  private final Map<Group, Map<DisconnectReason, Gathered>> groups = new LinkedHashMap<>();

  /** Disconnections of a group for one reason. */
  private static final class Gathered {
    int channels;
    String channel = "";
    String detail = "";

    void add(String name, String known) {
      channel = channels == 0 ? name : SEVERAL;
      detail = channels == 0 || known.equals(detail) ? known : SEVERAL;
      channels++;
    }
  }

  /**
   * Adds a disconnection.
   *
   * @param name the channel's name
   */
  void add(Group group, String name, ChannelEvent event) {
    groups
        .computeIfAbsent(group, key -> new EnumMap<>(DisconnectReason.class))
        .computeIfAbsent(event.reason(), key -> new Gathered())
        .add(name, event.detail());
  }

  /** Logs what was added since the last call. */
  void log(RunLog log) {
    groups.forEach(
        (group, reasons) ->
            reasons.forEach(
                (reason, each) ->
                    log.info(
                        "disconnected",
                        "group",
                        group,
                        "channels",
                        each.channels,
                        "channel",
                        each.channel,
                        "reason",
                        each.detail.isEmpty()
                            ? reason.text()
                            : reason.text() + ": " + each.detail)));
    groups.clear();
  }
}
