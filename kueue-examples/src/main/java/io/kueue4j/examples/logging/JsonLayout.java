package io.kueue4j.examples.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import java.util.Objects;
import org.slf4j.event.KeyValuePair;

/**
 * Writes a record as an object of JSON in one line. A key that is the name of another field gets a
 * {@code _} in front.
 */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  @Override
  public String doLayout(ILoggingEvent event) {
    ObjectNode record = MAPPER
        .createObjectNode()
        .put("time", event.getInstant().toString())
        .put("level", event.getLevel().toString())
        .put("logger", event.getLoggerName())
        .put("thread", event.getThreadName())
        .put("message", event.getFormattedMessage());
    for (KeyValuePair pair :
        Objects.requireNonNullElse(event.getKeyValuePairs(), ImmutableList.<KeyValuePair>of())) {
      String key = record.has(pair.key) || pair.key.equals("error") ? "_" + pair.key : pair.key;
      if (pair.value instanceof Integer || pair.value instanceof Long) {
        record.put(key, ((Number) pair.value).longValue());
      } else {
        record.put(key, String.valueOf(pair.value));
      }
    }
    if (event.getThrowableProxy() != null) {
      record.put("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return record.toString() + '\n';
  }
}
