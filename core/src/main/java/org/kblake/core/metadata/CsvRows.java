package org.kblake.core.metadata;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.CharArrayReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of a CSV text (RFC 4180). If quotes of a row are wrong, reading goes on at the line
 * after the row's first line.
 */
final class CsvRows {

  /** The most characters of a cell. */
  static final int MAX_CHARACTERS = 1 << 16;

  /** The most cells of a row. Further cells are left out. */
  static final int MAX_CELLS = 256;

  /** Receives the rows in their order. */
  interface Receiver {

    /**
     * @param firstLine the number of its first line, from 1
     * @param lastLine the number of its last line
     * @return false to end
     */
    boolean row(int firstLine, int lastLine, List<String> cells);

    /**
     * @return false to end
     */
    boolean wrong(int line, String what);
  }

  private static final CsvFactory FACTORY =
      CsvFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(MAX_CHARACTERS).build())
          .disable(CsvParser.Feature.TRIM_SPACES)
          .build();

  private final char[] text;
  private final Receiver receiver;

  private CsvRows(CharSequence text, Receiver receiver) {
    this.text = text.toString().toCharArray();
    this.receiver = receiver;
  }

  static void read(CharSequence text, Receiver receiver) {
    CsvRows rows = new CsvRows(text, receiver);
    int offset = 0;
    int line = 1;
    while (offset < rows.text.length) {
      int wrong = rows.readFrom(offset, line);
      for (; line <= wrong; line++) {
        offset = rows.endOfLine(offset);
      }
      if (wrong == 0) {
        return;
      }
    }
  }

  private int endOfLine(int offset) {
    int at = offset;
    while (at < text.length && text[at] != '\n') {
      at++;
    }
    return Math.min(text.length, at + 1);
  }

  /**
   * Reads rows until one is wrong.
   *
   * @return the first line of the wrong row; 0 if nothing is left to be read
   */
  private int readFrom(int offset, int line) {
    int first = line;
    try (CsvParser parser =
        FACTORY.createParser(new CharArrayReader(text, offset, text.length - offset))) {
      List<String> cells = new ArrayList<>();
      JsonToken token = parser.nextToken();
      while (token != null) {
        if (token == JsonToken.START_ARRAY) {
          cells = new ArrayList<>();
        } else if (token == JsonToken.VALUE_STRING) {
          String cell = parser.getText();
          if (cells.size() < MAX_CELLS) {
            cells.add(cell);
          }
        } else if (token == JsonToken.END_ARRAY) {
          int next = line + parser.currentLocation().getLineNr() - 1;
          int last = Math.max(first, next - 1);
          if (!isBlank(cells) && !receiver.row(first, last, cells)) {
            return 0;
          }
          first = Math.max(first + 1, next);
        }
        token = parser.nextToken();
      }
      return 0;
    } catch (IOException | RuntimeException e) {
      return receiver.wrong(first, "not CSV: " + firstSentence(e)) ? first : 0;
    }
  }

  private static boolean isBlank(List<String> cells) {
    return cells.isEmpty() || cells.size() == 1 && cells.get(0).isBlank();
  }

  private static String firstSentence(Exception e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
