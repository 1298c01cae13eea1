package io.kueue4j.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kueue4j.examples.browser.Browser;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a page of a report holds. */
final class ReportData {
  private ReportData() {}

  /** {@return the embedded JSON with that id} */
  static JsonNode of(String page, String id) throws IOException {
    Matcher found = Pattern.compile(
            "<script type=\"application/json\" id=\"" + id + "\">(.*?)</script>", Pattern.DOTALL)
        .matcher(page);
    assertThat(found.find()).as("JSON with id " + id).isTrue();
    return new ObjectMapper().readTree(found.group(1));
  }

  /** Waits until the timelines of so many simulations are drawn. */
  static void awaitTimeline(Browser browser, int count) throws InterruptedException {
    String expected = String.valueOf(count);
    assertThat(browser.await("document.querySelectorAll('.view canvas').length", expected))
        .as("timelines")
        .isEqualTo(expected);
  }
}
