package org.kblake.server.internal.data;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The number of characters, classes and groups that a regular expression has when its counted
 * repetitions are written out. The compiler of RE2 does so, and {@code ((a{1000}){1000}){1000}}
 * would take all memory.
 */
final class RegexSize {

  private static final long MOST = Integer.MAX_VALUE;

  private RegexSize() {}

  /** Returns the size of a text, which need not be a valid expression. */
  static int of(String regex) {
    Deque<Long> outer = new ArrayDeque<>();
    long sum = 0;
    long last = 0;
    int at = 0;
    while (at < regex.length()) {
      int next = at + 1;
      switch (regex.charAt(at)) {
        case '(' -> {
          outer.push(sum);
          sum = 1;
          last = 0;
        }
        case ')' -> {
          last = sum;
          sum = Math.min(MOST, sum + (outer.isEmpty() ? 0 : outer.pop()));
        }
        case '{' -> {
          int close = regex.indexOf('}', at);
          long count = close < 0 ? 0 : count(regex.substring(next, close));
          sum = Math.min(MOST, sum + last * Math.max(0, count - 1));
          last = Math.min(MOST, last * Math.max(1, count));
          next = count > 0 ? close + 1 : next;
        }
        case '[' -> {
          next = endOfClass(regex, at);
          last = 1;
          sum++;
        }
        case '\\' -> {
          next = Math.min(regex.length(), at + 2);
          last = 1;
          sum++;
        }
        default -> {
          last = 1;
          sum++;
        }
      }
      at = next;
    }
    while (!outer.isEmpty()) {
      sum = Math.min(MOST, sum + outer.pop());
    }
    return (int) sum;
  }

  /** Returns the greater number of {@code n}, {@code n,} or {@code n,m}; 0 if it is none. */
  private static long count(String text) {
    long most = 0;
    for (String bound : text.split(",")) {
      if (!bound.matches("\\d{1,9}")) {
        return 0;
      }
      most = Math.max(most, Long.parseLong(bound));
    }
    return most;
  }

  private static int endOfClass(String regex, int open) {
    int at = open + 1;
    if (at < regex.length() && regex.charAt(at) == '^') {
      at++;
    }
    int first = at;
    while (at < regex.length() && (regex.charAt(at) != ']' || at == first)) {
      at += regex.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(regex.length(), at + 1);
  }
}
