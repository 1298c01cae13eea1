package io.kueue4j.examples.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import com.google.common.collect.ImmutableList;
import java.util.Objects;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;

/**
 * Writes a record as one line of text: {@code 2026-01-01T00:00:00Z INFO JobEvents: Started job="Job
 * default/train" queue=research}.
 */
final class TextLayout extends LayoutBase<ILoggingEvent> {
  private static final Pattern PLAIN = Pattern.compile("[^\\s\"=]+");

  @Override
  public String doLayout(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(160)
        .append(event.getInstant())
        .append(' ')
        .append(event.getLevel())
        .append(' ')
        .append(simpleName(event.getLoggerName()))
        .append(": ")
        .append(oneLine(event.getFormattedMessage()));
    for (KeyValuePair pair :
        Objects.requireNonNullElse(event.getKeyValuePairs(), ImmutableList.<KeyValuePair>of())) {
      append(line, pair.key, String.valueOf(pair.value));
    }
    if (event.getThrowableProxy() != null) {
      append(line, "error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return line.append('\n').toString();
  }

  private static void append(StringBuilder line, String key, String value) {
    line.append(' ').append(key).append('=');
    if (PLAIN.matcher(value).matches()) {
      line.append(value);
    } else {
      line.append('"').append(oneLine(value).replace("\"", "\\\"")).append('"');
    }
  }

  private static String oneLine(String text) {
    return text.strip().replace("\\", "\\\\").replace("\r", "").replace("\n", "\\n");
  }

  private static String simpleName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }
}
