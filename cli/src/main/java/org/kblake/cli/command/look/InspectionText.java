package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.kblake.core.internal.log.inspect.InspectionListener;
import org.kblake.core.internal.log.inspect.ShownBytes;
import org.kblake.core.model.ValueType;
import org.kblake.format.text.CellText;

/** Writes an inspection as a listing with offset, bytes, field and value. */
final class InspectionText implements InspectionListener {

  /** The longest shown text. Names of records may have 64 KiB. */
  private static final int MAX_CHARACTERS = 120;

  private final Writer out;
  private final CellText cells;
  private boolean begun;
  private boolean aboutFile;
  private int damages;

  /**
   * @throws UncheckedIOException from all methods, if the writer throws
   */
  InspectionText(Writer out, CellText cells) {
    this.out = out;
    this.cells = cells;
  }

  /** Returns the number of reported damages. */
  int damages() {
    return damages;
  }

  @Override
  public void heading(String title) {
    if (begun) {
      line("");
    } else {
      row("offset", "bytes", "field", "value");
      begun = true;
    }
    line(title.toUpperCase(Locale.ROOT));
    aboutFile = true;
  }

  @Override
  public void structure(String title) {
    aboutFile = false;
    line(title);
  }

  @Override
  public void fact(String name, String text) {
    if (aboutFile) {
      line(String.format(Locale.ROOT, "  %-12s %s", name, CellText.printable(text)));
    } else {
      row("", "", name, shown(text));
    }
  }

  @Override
  public void time(String name, long nanos) {
    row("", "", name, cells.time(nanos));
  }

  @Override
  public void field(ShownBytes bytes, String name, String text) {
    row(bytes, name, shown(text));
  }

  @Override
  public void value(ShownBytes bytes, ValueType type, long count, List<?> first) {
    String elements = first.stream().map(cells::element).collect(Collectors.joining(", "));
    String more = count > first.size() ? ", … (" + count + " elements)" : "";
    row(bytes, "value, " + type.text(), elements + more);
  }

  @Override
  public void counted(String what, long shown, long all) {
    line("  " + (shown < all ? shown + " of " + all : "all " + all) + " " + what);
  }

  @Override
  public void note(String line) {
    line("  " + CellText.printable(line));
  }

  @Override
  public void damage(String line) {
    damages++;
    line("! " + CellText.printable(line));
  }

  private void row(ShownBytes bytes, String name, String text) {
    row(
        String.format(Locale.ROOT, "%08x", bytes.offset()),
        bytes.hex() + (bytes.cut() ? "…" : ""),
        name,
        text);
  }

  private void row(String offset, String bytes, String name, String text) {
    String field = CellText.printable(name);
    line(String.format(Locale.ROOT, "  %8s  %-33s  %-22s  %s", offset, bytes, field, text));
  }

  private static String shown(String text) {
    String printable = CellText.printable(text);
    return printable.length() <= MAX_CHARACTERS
        ? printable
        : printable.substring(0, MAX_CHARACTERS) + "…";
  }

  private void line(String text) {
    try {
      out.append(text.stripTrailing()).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
