package io.kueue4j.examples.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import com.google.common.collect.ImmutableList;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/** Sets up what a controller logs, on standard error. */
public final class Logs {
  /**
   * Their warnings are of no interest: about versions of Kubernetes; about each failure while a
   * server is away, of which the controller logs the first.
   */
  private static final ImmutableList<String> NOISY = ImmutableList.of(
      "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils",
      "io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector",
      "io.fabric8.kubernetes.client.informers.impl.cache.Reflector");

  private Logs() {}

  /** Sets format and level; has no effect if another implementation of SLF4J is in use. */
  public static void configure(LogFormat format, LogLevel level) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return;
    }
    context.reset();
    Layout<ILoggingEvent> layout = format == LogFormat.JSON ? new JsonLayout() : new TextLayout();
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(layout);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(level.name()));
    root.addAppender(appender);
    NOISY.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
    if (level != LogLevel.DEBUG) {
      // What the client does at level INFO is of no interest to operators.
      context.getLogger("io.fabric8").setLevel(Level.WARN);
    }
  }
}
