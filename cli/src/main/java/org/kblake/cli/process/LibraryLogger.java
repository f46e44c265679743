package org.kblake.cli.process;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger of {@link LibraryLog}. */
final class LibraryLogger extends LegacyAbstractLogger {

  private static final long serialVersionUID = 1;

  private final Level lowest;

  LibraryLogger(String name, Level lowest) {
    this.name = name;
    this.lowest = lowest;
  }

  @Override
  public boolean isTraceEnabled() {
    return isWritten(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return isWritten(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return isWritten(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return isWritten(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return isWritten(Level.ERROR);
  }

  private boolean isWritten(Level level) {
    return level.toInt() >= lowest.toInt();
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable error) {
    LibraryLog.write(
        level, name, String.valueOf(MessageFormatter.basicArrayFormat(pattern, arguments)));
  }
}
