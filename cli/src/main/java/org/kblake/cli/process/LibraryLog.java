package org.kblake.cli.process;

import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The logs of libraries, which use SLF4J: to standard error, by default warnings only. SLF4J
 * creates an object of this class. To set up a logging framework takes longer than most answers.
 */
public final class LibraryLog implements SLF4JServiceProvider, ILoggerFactory {

  private static final String LEVEL_PROPERTY = "kblake.log.level";

  private static volatile @Nullable Destination destination;

  private final Level lowest = Level.valueOf(System.getProperty(LEVEL_PROPERTY, "WARN"));

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter contexts = new NOPMDCAdapter();

  /** Where messages go. */
  @FunctionalInterface
  public interface Destination {
    /** Writes a message. Any thread may call this. */
    void write(Level level, String logger, String message);
  }

  /**
   * Selects this class for SLF4J, which otherwise searches all jars. Called before a library logs.
   *
   * @param lowest the name of the lowest level that is written
   */
  public static void select(String lowest) {
    System.setProperty(LEVEL_PROPERTY, lowest);
    System.setProperty("slf4j.provider", LibraryLog.class.getName());
    System.setProperty("slf4j.internal.verbosity", "WARN");
  }

  /** Redirects messages. */
  public static void setDestination(Destination wanted) {
    destination = wanted;
  }

  static void write(Level level, String logger, String message) {
    Destination wanted = destination;
    if (wanted == null) {
      boolean terminal = Boolean.getBoolean(ProcessEnvironment.ERR_IS_TERMINAL);
      (terminal ? TerminalOutput.lines(System.err, true) : System.err)
          .println(level + ": " + message);
    } else {
      wanted.write(level, logger, message);
    }
  }

  @Override
  public Logger getLogger(String name) {
    // Arrow's messages of the level INFO are for Arrow's developers.
    boolean arrow = lowest == Level.INFO && name.startsWith("org.apache.arrow");
    return new LibraryLogger(name, arrow ? Level.WARN : lowest);
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return this;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return contexts;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}
}
