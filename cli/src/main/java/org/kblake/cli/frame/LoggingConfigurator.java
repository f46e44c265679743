package org.kblake.cli.frame;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures the logs of libraries: to standard error, by default warnings only. Logback finds this
 * class through {@link java.util.ServiceLoader}. Reading XML instead would add a tenth to the time
 * of a short command.
 */
public final class LoggingConfigurator extends ContextAwareBase implements Configurator {

  /** The system property with the lowest level that is printed. */
  static final String LEVEL_PROPERTY = "kblake.log.level";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%level: %msg%n%nopex");
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget(ConsoleTarget.SystemErr.getName());
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(System.getProperty(LEVEL_PROPERTY), Level.WARN));
    if (root.getLevel() == Level.INFO) {
      // Arrow's messages of this level are for Arrow's developers
      context.getLogger("org.apache.arrow").setLevel(Level.WARN);
    }
    root.addAppender(appender);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
