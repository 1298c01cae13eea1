package io.kueue4j.examples.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Captures what the calling thread logs by a package. Tests that run at the same time log by the
 * same loggers.
 */
public final class LogCapture implements AutoCloseable {
  private final Logger logger;
  private final Thread thread = Thread.currentThread();
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  public LogCapture(String name) {
    logger = (Logger) LoggerFactory.getLogger(name);
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    appender.start();
    logger.addAppender(appender);
  }

  /** {@return the lines so far as a format writes them, without the time} */
  public List<String> lines(LogFormat format) {
    Layout<ILoggingEvent> layout = format == LogFormat.JSON ? new JsonLayout() : new TextLayout();
    return new ArrayList<>(appender.list)
        .stream()
            .filter(event -> event.getThreadName().equals(thread.getName()))
            .map(layout::doLayout)
            .map(line -> format == LogFormat.TEXT ? line.substring(line.indexOf(' ') + 1) : line)
            .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(null);
  }
}
