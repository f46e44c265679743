package org.kblake.cli.command.service;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.transfer.event.EventSink;

/**
 * The table of a builder: lines of CSV as those of {@code kblake build}, from lines of the
 * collectors. Rows come in the order in which they are whole.
 */
final class BuiltLines implements EventSink {

  /** The columns before the cells: time, event, complete. */
  static final int BEFORE_CELLS = 3;

  private final OutputStream out;
  private String head = "";

  BuiltLines(OutputStream out) {
    this.out = out;
  }

  /** Returns lines without their ends. Ends in quotes are in a cell. */
  static List<byte[]> of(byte[] text) {
    List<byte[]> lines = new ArrayList<>();
    boolean quoted = false;
    int begin = 0;
    for (int i = 0; i < text.length; i++) {
      quoted ^= text[i] == '"';
      if (text[i] == '\n' && !quoted) {
        lines.add(Arrays.copyOfRange(text, begin, i));
        begin = i + 1;
      }
    }
    return lines;
  }

  /** Returns what follows a number of commas, none of which is in a cell with quotes. */
  static String cells(byte[] line, int commas) {
    int at = after(line, commas);
    return new String(line, at, line.length - at, StandardCharsets.UTF_8);
  }

  private static int after(byte[] line, int commas) {
    int at = 0;
    for (int found = 0; at < line.length && found < commas; at++) {
      found += line[at] == ',' ? 1 : 0;
    }
    return at;
  }

  @Override
  public void begin(List<String> columns) throws IOException {
    String now = "time,event,complete," + String.join(",", columns) + "\n";
    if (!now.equals(head)) {
      out.write(now.getBytes(StandardCharsets.UTF_8));
      head = now;
    }
  }

  @Override
  public void built(long event, long nanos, List<byte[]> fragments) throws IOException {
    boolean complete = true;
    for (byte[] each : fragments) {
      int at = after(each, BEFORE_CELLS);
      if (at < 2 || each[at - 1] != ',') {
        throw new IOException("a fragment is no row of a table");
      }
      complete &= each[at - 2] == '1';
    }
    byte[] first = fragments.get(0);
    out.write(first, 0, after(first, BEFORE_CELLS - 1));
    out.write(complete ? '1' : '0');
    for (byte[] each : fragments) {
      int at = after(each, BEFORE_CELLS) - 1;
      out.write(each, at, each.length - at);
    }
    out.write('\n');
  }

  @Override
  public void end() throws IOException {
    out.flush();
  }
}
