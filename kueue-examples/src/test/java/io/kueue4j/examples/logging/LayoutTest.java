package io.kueue4j.examples.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Both formats: one line per record, whatever it contains. */
class LayoutTest {
  private static final String NAME = LayoutTest.class.getName();
  private static final Logger LOG = LoggerFactory.getLogger(NAME);

  private static List<String> lines(LogFormat format) {
    try (LogCapture log = new LogCapture(NAME)) {
      LOG.atInfo()
          .addKeyValue("job", "Job default/train")
          .addKeyValue("queue", "research")
          .addKeyValue("count", 3)
          .addKeyValue("level", "says \"no\"\nand more")
          .log("Admitted");
      LOG.error("two\nlines", new IllegalStateException("broken"));
      return log.lines(format);
    }
  }

  @Test
  void text() {
    List<String> lines = lines(LogFormat.TEXT);
    assertThat(lines).hasSize(2).allMatch(line -> line.indexOf('\n') == line.length() - 1);
    assertThat(lines.get(0))
        .isEqualTo("INFO LayoutTest: Admitted job=\"Job default/train\" queue=research count=3"
            + " level=\"says \\\"no\\\"\\nand more\"\n");
    assertThat(lines.get(1))
        .startsWith("ERROR LayoutTest: two\\nlines error=\"java.lang.IllegalStateException: broken")
        .contains("LayoutTest.java");
  }

  @Test
  void json() throws IOException {
    List<String> lines = lines(LogFormat.JSON);
    assertThat(lines).hasSize(2).allMatch(line -> line.indexOf('\n') == line.length() - 1);
    JsonNode first = new ObjectMapper().readTree(lines.get(0));
    assertThat(Instant.parse(first.get("time").asText())).isNotNull();
    assertThat(first.get("level").asText()).isEqualTo("INFO");
    assertThat(first.get("logger").asText()).isEqualTo(NAME);
    assertThat(first.get("message").asText()).isEqualTo("Admitted");
    assertThat(first.get("job").asText()).isEqualTo("Job default/train");
    assertThat(first.get("count").isNumber()).isTrue();
    assertThat(first.get("_level").asText()).isEqualTo("says \"no\"\nand more");
    JsonNode second = new ObjectMapper().readTree(lines.get(1));
    assertThat(second.get("error").asText()).startsWith("java.lang.IllegalStateException: broken");
  }
}
