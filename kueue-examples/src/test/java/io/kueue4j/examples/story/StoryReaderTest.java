package io.kueue4j.examples.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.simulation.InputException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a scenario that cannot be read. */
class StoryReaderTest {
  @TempDir
  Path path;

  private StoryFolder folder;

  @BeforeEach
  void create() {
    folder = new StoryFolder(path);
  }

  private void refuses(String steps, String... messages) {
    Path file = folder.scenario(steps);
    assertThatThrownBy(() -> Story.read(file, note -> {}))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(file + ": document 1, line ")
        .message()
        .contains(messages);
  }

  @Test
  void unknownKeysHaveASuggestion() {
    refuses(
        "- submitt: job.yaml",
        "line 4, column 12: steps[0].submitt: no action; expected one of submit, finish, ",
        "; did you mean \"submit\"?");
    refuses(
        "- submit: job.yaml\n  expect: {admited: job}",
        "line 5, column 21: steps[0].expect.admited: unknown field; did you mean \"admitted\"?");
    refuses("- submit: job.yaml\n  copys: 2", "unknown field; did you mean \"copies\"?");
  }

  @Test
  void aStepHasOneAction() {
    refuses(
        "- submit: job.yaml\n  finish: job", "line 5, column 11: steps[0].finish: a second action");
    refuses("- name: job", "steps[0].name: no action; expected one of submit, ");
  }

  @Test
  void valuesHaveTheirForm() {
    refuses("- wait: an hour", "steps[0].wait: \"an hour\"; expected a duration as PT1H30M or P7D");
    refuses("- wait: -PT1H", "expected a duration");
    refuses("- {submit: job.yaml, copies: 0}", "steps[0].copies: 0; expected at least 1");
    refuses(
        "- expect: {pending: {job: INSUFICIENT_QUOTA}}",
        "\"INSUFICIENT_QUOTA\" is no code of a reason; expected one, or a part of its text;"
            + " did you mean \"INSUFFICIENT_QUOTA\"?");
    refuses("- expect: {usage: {research: 4}}", "usage.research: 4 (a number); expected a mapping");
    refuses("- expect: {usage: {research: {spot: {cpu: many}}}}", "usage.research.spot.cpu: ");
    refuses(
        "- expect: {admitted: []}", "expect.admitted: no job; expected one, or leave the field");
    refuses(
        "- expect: {startsWithin: {job: soon}}", "startsWithin.job: \"soon\"; expected a duration");
    refuses("- expect: {stableWithin: few}", "stableWithin: \"few\"; expected a 32-bit integer");
  }

  @Test
  void filesExist() {
    refuses(
        "- submit: jobs.yaml", "steps[0].submit: there is no file " + path.resolve("jobs.yaml"));
    refuses("- submit: \"jobs\\0.yaml\"", "steps[0].submit: \"jobs", ".yaml\"; expected a path");
  }

  @Test
  void onlyJobsAreSubmitted() {
    refuses(
        "- submit: queues.yaml",
        "steps[0].submit: ClusterQueue research is no job; expected it in");
  }

  @Test
  void inlineManifestsAreChecked() {
    refuses(
        "- submit: " + StoryFolder.job("x", "queue", 1).replace("suspend: true", "suspend: maybe"),
        "line 4",
        "steps[0].submit: Job default/x: spec.suspend: \"maybe\"; expected true or false");
  }

  @Test
  void theHeaderIsComplete() {
    Path file = folder.write("b.scenario.yaml", "start: today\nstops: never\nstep: []\n");
    assertThatThrownBy(() -> Story.read(file, note -> {}))
        .message()
        .contains(
            "name: missing; expected text",
            "given: missing; expected a file or folder with manifests",
            "steps: missing; expected at least one step; is \"step\" a misspelling of it?",
            "start: \"today\"; expected a time as",
            "stops: \"never\"; expected one of at once, by step");
  }

  @Test
  void aSnapshotIsGiven() {
    folder.write("all.yaml", folder.text("queues.yaml") + "---\n" + folder.text("job.yaml"));
    CommandLineRun state = CommandLineRun.of("admit", path.resolve("all.yaml"), "-o", "yaml");
    Path snapshot = folder.write("state.yaml", state.out());
    folder.write("snapshot.yaml", CommandLineRun.of("snapshot", snapshot).out());
    Path file = folder.write("b.scenario.yaml", """
        name: goes on
        given: snapshot.yaml
        steps:
        - expect: {admitted: {job: spot}}
        - finish: job
          expect: {usage: {research: {spot: {cpu: 0}}}}
        """);

    StoryResult result = StoryRun.play(Story.read(file, note -> {}), given -> Settings.defaults());
    assertThat(result.failures()).isEmpty();
  }

  @Test
  void aFolderIsGiven() {
    folder.write("b.scenario.yaml", """
        name: all
        given: .
        start: 2030-01-01T00:00:00Z
        steps:
        - expect: {admitted: job}
        """);
    Story story = Story.read(path.resolve("b.scenario.yaml"), note -> {});

    assertThat(StoryRun.play(story, given -> Settings.defaults()).failures()).isEmpty();
    assertThat(story.start()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
  }

  @Test
  void misspelledFieldsOfManifestsAreNoted() {
    folder.write("job.yaml", StoryFolder.job("job", "queue", 1).replace("suspend", "suspnd"));
    folder.passes("- submit: job.yaml");
    assertThat(folder.notes).singleElement().asString().contains("spec.suspnd: unknown field");
  }
}
