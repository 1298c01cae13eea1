package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.ReasonCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about jobs that wait explains every state and every reason. */
class StuckPageTest {
  private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE);

  @Test
  void eachStateAndReasonStandsInItsTableOnce() throws IOException {
    String page = Files.readString(MarkdownPage.ROOT.resolve("docs/stuck.md"));
    ImmutableList<String> rows =
        ROW.matcher(page).results().map(row -> row.group(1)).collect(toImmutableList());

    assertThat(rows)
        .containsExactlyElementsOf(Stream.concat(
                Arrays.stream(PendingCause.values()).map(PendingCause::toString),
                Arrays.stream(ReasonCode.values()).map(ReasonCode::name))
            .toList());
  }
}
