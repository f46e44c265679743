package org.kblake.cli.command.analysis;

import java.util.List;
import org.kblake.cli.command.shared.ChannelPatterns;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.SafeOption;
import org.kblake.cli.command.shared.SourceOption;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Options;
import org.kblake.cli.frame.Values;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Source;

/** The options that {@code kblake moved} and {@code kblake diff} share. */
final class RowOptions {

  private final Values<String> channels;
  private final GroupOption groups;
  private final OptionalValue<Long> most;
  private final SourceOption source;
  private final OptionalValue<RowForm> format;
  private final Flag safe;

  /** Adds the options to a command, except the argument of the channels. */
  RowOptions(Options options, Values<String> channels) {
    this.channels = channels;
    groups = new GroupOption(options);
    most =
        options.value(Long.class, "N", "The most rows; default: all; 50 for text.", "-n", "--most");
    source = new SourceOption(options);
    format =
        options.value(
            RowForm.class, "FORMAT", "${COMPLETION-CANDIDATES}; default: text.", "-f", "--format");
    safe = SafeOption.of(options);
  }

  /** Returns the channels that the command line names; all of them if it names none. */
  ChannelSelection selection() {
    List<ChannelPattern> patterns = ChannelPatterns.of(channels.get());
    return new ChannelSelection(
        groups.named(), patterns.isEmpty() ? List.of(ChannelPattern.glob("*")) : patterns);
  }

  Source source() {
    return source.get();
  }

  RowForm form() {
    RowForm form = format.get();
    if (safe.isSet() && form != RowForm.csv) {
      throw new UsageException("--safe is for csv only; give -f csv, too");
    }
    return form == null ? RowForm.text : form;
  }

  boolean isSafe() {
    return safe.isSet();
  }

  /** Returns the most rows of the answer. */
  int most() {
    Long given = most.get();
    if (given == null) {
      return form() == RowForm.text ? 50 : Integer.MAX_VALUE;
    }
    if (given < 0) {
      throw new UsageException("-n must not be negative: " + given);
    }
    return (int) Math.min(Integer.MAX_VALUE, given);
  }
}
