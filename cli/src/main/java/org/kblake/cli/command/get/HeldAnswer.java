package org.kblake.cli.command.get;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.EmptyAnswerNote;
import org.kblake.cli.command.answer.ShownReading;
import org.kblake.cli.filter.RowFilter;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.AnswerWriter;
import org.kblake.format.text.EventLines;
import org.kblake.format.text.LineForm;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventReader;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.Losses;
import org.kblake.query.question.HeldQuery;

/**
 * Writes the values held at an instant as rows. A row is the event that set the value, with the
 * state of the channel at the instant. Channels without a value have no row and are listed in a
 * note.
 */
final class HeldAnswer implements GetAnswer {

  private static final int MAX_NAMES = 5;

  private final Session session;
  private final HeldQuery query;
  private final @Nullable RowFilter filter;

  /**
   * @param filter the filter of rows; null for none
   */
  HeldAnswer(Session session, HeldQuery query, @Nullable RowFilter filter) {
    this.session = session;
    this.query = query;
    this.filter = filter;
  }

  @Override
  public int write(ArchiveReader archive, AnswerOutput target, AnswerEnd end) throws IOException {
    HeldValues held;
    try (ShownReading reading = new ShownReading(session, "get")) {
      HeldValues all = archive.held(query, reading);
      held = filter == null ? all : all.where(filter);
    }
    List<HeldValue> known = held.values().stream().filter(HeldValue::isKnown).toList();
    if (target.format().text()) {
      writeText(held, known, target);
    } else {
      writeColumns(held, target);
    }
    nameUnknown(archive, held);
    if (filter != null && filter.removed() > 0 && known.isEmpty()) {
      session.note("none of the " + filter.removed() + " values matches");
    }
    return end.report(held.coverage().with(losses(archive, held)));
  }

  /** Returns the losses at the instant: after them the recorder had the value of each channel. */
  private Losses losses(ArchiveReader archive, HeldValues held) throws IOException {
    Set<Group> groups = new HashSet<>();
    for (HeldValue value : held.values()) {
      groups.add(value.channel().group());
    }
    return archive.losses(groups, EpochNanos.around(query.atNanos(), query.atNanos(), 1));
  }

  private void writeText(HeldValues held, List<HeldValue> known, AnswerOutput target)
      throws IOException {
    List<Channel> channels = held.values().stream().map(HeldValue::channel).toList();
    LineForm form = target.lineForm(LinesAnswer.severalGroups(channels), false);
    try (AnswerOutput.Opened opened = target.open()) {
      EventLines lines = new EventLines(opened.out(), form);
      for (HeldValue value : known) {
        lines.writeHeld(value.channel(), value.row(), HeldRowStates.of(value));
      }
      lines.finish();
      opened.complete();
    }
  }

  private void writeColumns(HeldValues held, AnswerOutput target) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        EventReader reader = held.read(allocator);
        AnswerOutput.Opened opened = target.open();
        AnswerWriter writer = opened.writer(reader)) {
      HeldRowStates states = new HeldRowStates(reader);
      while (reader.loadNextBatch()) {
        states.set();
        writer.write();
      }
      writer.finish();
      opened.complete();
    }
  }

  private void nameUnknown(ArchiveReader archive, HeldValues held) {
    List<Channel> unknown =
        held.values().stream().filter(value -> !value.isKnown()).map(HeldValue::channel).toList();
    if (unknown.isEmpty() || session.quiet()) {
      return;
    }
    StringJoiner names = new StringJoiner(", ", "no value found: ", "");
    for (Channel channel : unknown.subList(0, Math.min(MAX_NAMES, unknown.size()))) {
      names.add(channel.toString());
    }
    int more = unknown.size() - MAX_NAMES;
    String facts = "";
    if (unknown.size() == held.values().size() && filter == null) {
      long endNanos = Math.max(query.atNanos(), query.atNanos() + 1);
      TimeRange before = new TimeRange(Long.MIN_VALUE, endNanos);
      facts = new EmptyAnswerNote(session, archive, query.source()).facts(before, unknown);
    }
    session.note(names + (more > 0 ? " and " + more + " more" : "") + facts);
  }
}
