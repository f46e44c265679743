package org.kblake.cli.kblogrd;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.cli.kblogrd.request.KblogrdRequest;
import org.kblake.cli.kblogrd.request.RecordArgument;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.UnknownChannelException;

/**
 * Which records a request means, by the record tables of its period.
 *
 * @param names in the order of {@code -r}, repeated where it repeats them; empty if all are meant
 * @param unknown what {@code -r} says and no table has
 * @param certain whether every table of the period could be read
 * @param unread times whose table could not be read, so that expressions may mean more records
 */
record Records(
    List<String> names, List<String> unknown, boolean certain, List<CoverageSpan> unread) {

  /**
   * Looks up what needs a record table: regular expressions, and nothing else, because names are
   * looked up when they are read.
   */
  static Records of(ArchiveReader reader, KblogrdRequest request) throws IOException {
    List<String> known = List.of();
    List<CoverageSpan> unread = List.of();
    List<String> names = new ArrayList<>();
    List<String> unmatched = new ArrayList<>();
    for (RecordArgument record : request.records()) {
      int before = names.size();
      if (record.pattern() == null) {
        names.add(record.text());
      } else {
        if (known.isEmpty()) {
          FoundChannels found =
              reader.find(request.times().events(ChannelSelection.all(request.group())));
          known = namesOf(found);
          unread = found.unread();
        }
        names.addAll(record.among(known));
        if (names.size() == before) {
          unmatched.add(record.text());
        }
      }
    }
    Records records = new Records(names, List.of(), true, unread);
    return unmatched.isEmpty() ? records : records.withUnmatched(reader, request, unmatched);
  }

  private static List<String> namesOf(FoundChannels found) {
    List<String> names = new ArrayList<>();
    for (ChannelInfo info : found.channels()) {
      names.add(info.channel().name());
    }
    return names;
  }

  /** With expressions that match nothing; finds out about names and tables, too. */
  private Records withUnmatched(
      ArchiveReader reader, KblogrdRequest request, List<String> unmatched) throws IOException {
    List<String> asked = new ArrayList<>(names);
    asked.addAll(unmatched);
    try {
      reader.channels(request.times().events(selection(request, asked)));
      // There are records of these very names, but an expression does not mean its own text: A+B-
      return new Records(names, List.copyOf(unmatched), true, unread);
    } catch (UnknownChannelException e) {
      return without(e);
    }
  }

  /** These records, without those that a lookup did not find. */
  Records without(UnknownChannelException e) {
    return new Records(names, List.copyOf(e.nearest().keySet()), e.isCertain(), unread);
  }

  /** Whether all records of the group are meant. */
  boolean isAll() {
    return names.isEmpty() && unknown.isEmpty();
  }

  /** What can be asked of the archive. */
  ChannelSelection selection(KblogrdRequest request) {
    if (isAll()) {
      return ChannelSelection.all(request.group());
    }
    List<String> left = new ArrayList<>(names);
    left.removeAll(unknown);
    return selection(request, left);
  }

  private static ChannelSelection selection(KblogrdRequest request, List<String> names) {
    Set<String> distinct = new LinkedHashSet<>(names);
    List<ChannelPattern> patterns = new ArrayList<>(distinct.size());
    for (String name : distinct) {
      patterns.add(ChannelPattern.name(name));
    }
    return new ChannelSelection(List.of(request.group()), patterns);
  }

  /** Names that record tables of the period have, for questions about parts of it or before it. */
  static ChannelSelection known(KblogrdRequest request, List<String> names) {
    List<ChannelPattern> patterns = new ArrayList<>(names.size());
    for (String name : names) {
      patterns.add(ChannelPattern.knownName(name));
    }
    return new ChannelSelection(List.of(request.group()), patterns);
  }
}
