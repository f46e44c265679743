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
 * The records of a request, from the record tables of its period.
 *
 * @param names the records in the order of {@code -r}, repeated if it repeats them; empty for all
 *     records
 * @param unknown the names and expressions of {@code -r} that no table has
 * @param certain whether every table of the period could be read
 * @param unread the periods whose table could not be read, so that expressions may match more
 *     records
 */
record Records(
    List<String> names, List<String> unknown, boolean certain, List<CoverageSpan> unread) {

  /**
   * Finds the records that regular expressions match. Names need no record table here, because the
   * reader looks them up.
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

  /**
   * Adds expressions that match nothing. It also looks up whether the names exist and whether all
   * tables could be read.
   */
  private Records withUnmatched(
      ArchiveReader reader, KblogrdRequest request, List<String> unmatched) throws IOException {
    List<String> asked = new ArrayList<>(names);
    asked.addAll(unmatched);
    try {
      reader.channels(request.times().events(selection(request, asked)));
      // Records with these exact texts exist, but an expression such as A+B- does not match its own
      // text
      return new Records(names, List.copyOf(unmatched), true, unread);
    } catch (UnknownChannelException e) {
      return without(e);
    }
  }

  /** Returns these records without those that a lookup did not find. */
  Records without(UnknownChannelException e) {
    return new Records(names, List.copyOf(e.nearest().keySet()), e.isCertain(), unread);
  }

  /** Returns whether the request is for all records of the group. */
  boolean isAll() {
    return names.isEmpty() && unknown.isEmpty();
  }

  /** Returns the selection of the known records. */
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

  /**
   * Returns a selection of names that record tables of the period have. It is for reads of a part
   * of the period or of times before it.
   */
  static ChannelSelection known(KblogrdRequest request, List<String> names) {
    List<ChannelPattern> patterns = new ArrayList<>(names.size());
    for (String name : names) {
      patterns.add(ChannelPattern.knownName(name));
    }
    return new ChannelSelection(List.of(request.group()), patterns);
  }
}
