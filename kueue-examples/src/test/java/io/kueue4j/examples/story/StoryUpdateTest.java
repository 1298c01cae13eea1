package io.kueue4j.examples.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.simulation.InputException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an update writes, and what it leaves. */
class StoryUpdateTest {
  private static final String HEADER = """
      # A comment.
      name: "a story"   # another one
      given: [queues.yaml]

      steps:
      """;

  @TempDir
  Path path;

  private StoryFolder folder;

  @BeforeEach
  void create() {
    folder = new StoryFolder(path);
  }

  /** {@return the text of a scenario after its update, with which it passes} */
  private String updated(String text) {
    String result = StoryUpdate.text(play(text));
    assertThat(play(result).failures()).isEmpty();
    assertThat(play(result).happened()).isEmpty();
    return result;
  }

  private StoryResult play(String text) {
    return StoryRun.play(
        Story.read(folder.write("u.scenario.yaml", text), note -> {}),
        given -> Settings.defaults());
  }

  @Test
  void whatIsAsExpectedStaysAsItIs() {
    String text = HEADER + "- submit: job.yaml\n  expect: { admitted: [ job ] }  # fine\n";
    assertThat(StoryUpdate.text(play(text))).isEqualTo(text);
  }

  @Test
  void whatHappenedReplacesWhatWasExpected() {
    String text = HEADER + """
        - submit: job.yaml
          copies: 3
          expect:  # the third waits
            # gone with what it is about
            pending: [job-1, job-3]
            usage: {research: {spot: {cpu: 1}}}

        # The end.
        - finish: job-1
          expect: {finished: [job-1]}
        """;

    assertThat(updated(text)).isEqualTo(HEADER + """
        - submit: job.yaml
          copies: 3
          expect:  # the third waits
            admitted:
              job-1: spot
              job-3: spot
            usage:
              research:
                spot:
                  cpu: '6'

        # The end.
        - finish: job-1
          expect: {finished: [job-1]}
        """);
  }

  @Test
  void anEmptyExpectIsFilledIn() {
    String text = HEADER
        + "- submit: " + StoryFolder.job("large", "queue", 8)
        + "- submit: " + StoryFolder.job("lesson", "lessons", 4)
        + "  expect:\r\n- finish: lesson\n  expect:\n";

    assertThat(updated(text)).endsWith("""
            \r
                admitted:\r
                  lesson: spot\r
                pending:\r
                  large: INSUFFICIENT_QUOTA\r
                preempts:\r
                  lesson:\r
                  - large\r
                evicted:\r
                - large\r
            - finish: lesson
              expect:
                admitted:
                  large: spot
                finished:
                - lesson
            """.replace("    \r\n", "\r\n"));
  }

  @Test
  void boundsAndDurationsBecomeWhatTheyHaveToBe() {
    String text = HEADER
        + "- submit: " + StoryFolder.job("large", "queue", 8)
        + "  expect:\n    neverAbove: {research: {spot: {cpu: 4}}}\n"
        + "- submit: " + StoryFolder.job("late", "lessons", 2).replace("cpu: 2", "cpu: 6")
        + """
          expect:
            startsWithin: {late: PT1M}
            stableWithin: 0
        - wait: PT1H
        - finish: large
        """.indent(0);

    assertThat(updated(text))
        .contains(
            "    neverAbove:\n      research:\n        spot:\n          cpu: '8'\n",
            "    startsWithin:\n      late: PT1H1S\n    stableWithin: 1\n");
  }

  @Test
  void aFileInOneLineIsRefused() {
    StoryResult result = play(
        "{name: x, given: queues.yaml, steps: [{submit: job.yaml, expect: {pending: [job]}}]}");
    assertThatThrownBy(() -> StoryUpdate.text(result))
        .isInstanceOf(InputException.class)
        .hasMessageEndingWith("expect cannot be rewritten; expected it, and what stands in it, on"
            + " lines of their own");
  }
}
