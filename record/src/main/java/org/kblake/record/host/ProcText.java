package org.kblake.record.host;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A text in memory that is used again and again, and a place in it: a line, the key of the line,
 * and what follows it. Finding words and numbers makes no objects.
 */
final class ProcText {

  private static final int MOST_NUMBERS = 32;
  private static final int MOST_DIGITS = 18;

  private ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
  private byte[] bytes = buffer.array();
  private int length;
  private int next;
  private int at;
  private int end;
  private int keyFrom;
  private int keyTo;
  private final double[] numbers = new double[MOST_NUMBERS];
  private int count;

  /** Begins another text, and returns where it can be put. */
  ByteBuffer begin() {
    return buffer.clear();
  }

  /** Returns a larger buffer with the same bytes. */
  ByteBuffer enlarge() {
    int position = buffer.position();
    bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    buffer = ByteBuffer.wrap(bytes).position(position);
    return buffer;
  }

  /** Ends the text with the bytes in the buffer. */
  void complete() {
    length = buffer.position();
    next = 0;
  }

  int length() {
    return length;
  }

  /** Returns whether the last line of the text, if it has one, is whole. */
  boolean isWhole() {
    return length == 0 || bytes[length - 1] == '\n';
  }

  /** Goes to the next line. Returns false if there is none. */
  boolean nextLine() {
    if (next >= length) {
      return false;
    }
    at = next;
    end = at;
    while (end < length && bytes[end] != '\n') {
      end++;
    }
    next = end + 1;
    keyFrom = at;
    keyTo = at;
    return true;
  }

  /** Makes the next word the key. Returns false if the line has no more. */
  boolean nextWord() {
    while (at < end && isBlank(bytes[at])) {
      at++;
    }
    keyFrom = at;
    while (at < end && !isBlank(bytes[at])) {
      at++;
    }
    keyTo = at;
    return keyTo > keyFrom;
  }

  /** Makes the word after some others, the first one being 1, the key. False if there is none. */
  boolean nextWord(int number) {
    boolean isThere = true;
    for (int i = 0; i < number && isThere; i++) {
      isThere = nextWord();
    }
    return isThere;
  }

  /** Makes what is before the last colon of the line the key. Returns false if that is nothing. */
  boolean keyBeforeColon() {
    while (at < end && isBlank(bytes[at])) {
      at++;
    }
    keyFrom = at;
    keyTo = end - 1;
    while (keyTo > keyFrom && bytes[keyTo] != ':') {
      keyTo--;
    }
    at = keyTo + 1;
    return keyTo > keyFrom;
  }

  int keyLength() {
    return keyTo - keyFrom;
  }

  byte keyByte(int index) {
    return bytes[keyFrom + index];
  }

  boolean keyStartsWith(byte[] begin) {
    return keyLength() >= begin.length
        && Arrays.equals(bytes, keyFrom, keyFrom + begin.length, begin, 0, begin.length);
  }

  boolean isKey(byte[] other) {
    return keyLength() == other.length && keyStartsWith(other);
  }

  byte[] copyKey() {
    return Arrays.copyOfRange(bytes, keyFrom, keyTo);
  }

  /** Reads the numbers that follow the key. They end at the first word that is none. */
  int readNumbers() {
    count = 0;
    while (count < MOST_NUMBERS && readNumber()) {
      count++;
    }
    return count;
  }

  /** Returns how many numbers the last {@link #readNumbers} found. */
  int count() {
    return count;
  }

  /** Returns a number of the last {@link #readNumbers}. */
  double number(int index) {
    return numbers[index];
  }

  /** Returns whether the unit after the last number is kB. */
  boolean isInKilobytes() {
    return at + 1 < end && bytes[at] == 'k' && bytes[at + 1] == 'B';
  }

  private boolean readNumber() {
    while (at < end && (isBlank(bytes[at]) || bytes[at] == '/')) {
      at++;
    }
    int from = at;
    double whole = readDigits();
    int digits = at - from;
    if (digits > 0 && at < end && bytes[at] == '.') {
      int point = at++;
      double fraction = readDigits();
      whole += fraction / Math.pow(10, at - point - 1);
    }
    boolean isNumber = digits > 0 && (at == end || isBlank(bytes[at]) || bytes[at] == '/');
    numbers[count] = whole;
    at = isNumber ? at : from;
    return isNumber;
  }

  /** Numbers of up to 18 digits are rounded once, larger ones with each digit. */
  private double readDigits() {
    long exact = 0;
    double value = 0;
    int digits = 0;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      int digit = bytes[at++] - '0';
      exact = exact * 10 + digit;
      digits++;
      value = digits <= MOST_DIGITS ? (double) exact : value * 10 + digit;
    }
    return value;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }
}
