package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.story.Story;
import io.kueue4j.examples.story.StoryFailure;
import io.kueue4j.examples.story.StoryFiles;
import io.kueue4j.examples.story.StoryResult;
import io.kueue4j.examples.story.StoryRun;
import io.kueue4j.examples.story.StoryUpdate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plays scenarios on queues, and says where something is not as expected. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "test",
    description = {
      "Plays scenarios: what is there, what happens, and what is expected then. Each is a file"
          + " beside the manifests that it names, which ends in .scenario.yaml.",
      "docs/scenarios.md says what stands in such a file."
    },
    exitCodeList = {
      "0:all is as expected, or was updated",
      "1:a scenario failed",
      "2:the input cannot be used, or there is no scenario"
    },
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {"  kueue4j test queues/ --junit results.xml", "  kueue4j test queues/ --update"})
public final class TestCommand extends ExampleCommand {
  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Folders with scenarios in them or in folders in them, and files.")
  private List<Path> paths;

  @Option(
      names = "--filter",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Play only the scenarios with that text in their name.")
  private String filter;

  @Option(
      names = "--update",
      description = "Where something is not as expected, write what happened into the scenario. An"
          + " empty expect is filled in.")
  private boolean update;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Write the results into that file as well, as JUnit XML.")
  private Optional<OutputFile> junit = Optional.empty();

  @Mixin
  private SettingsOptions settings;

  @Mixin
  private StrictOption strict;

  private final Set<Path> updated = new HashSet<>();

  /** Creates the command; the command line sets its arguments. */
  public TestCommand() {}

  @Override
  public Integer call() {
    Notes notes = strict.notes();
    ImmutableList<Story> stories = read(notes);
    notes.finish();
    if (stories.isEmpty()) {
      throw new InputException("--filter: there is no scenario with '" + filter + "' in its name");
    }
    List<StoryResult> results = new ArrayList<>();
    try (Progress progress = progress(stories.size())) {
      for (Story story : stories) {
        results.add(play(story));
        progress.add(1);
      }
    }
    long failed = results.stream().filter(result -> !result.isPassed()).count();
    if (junit.filter(OutputFile::isStandardOutput).isEmpty()) {
      results.forEach(this::print);
      PrintWriter out = spec.commandLine().getOut();
      out.println(results.size() + (results.size() == 1 ? " scenario, " : " scenarios, ") + failed
          + " failed");
      out.flush();
    }
    junit.ifPresent(file -> file.write(JUnitReport.of(results)));
    return failed == 0 ? ExitCodes.OK : ExitCodes.DISAGREEMENT;
  }

  /**
   * {@return the scenarios that are chosen}
   *
   * @throws InputException if any file is not a scenario; names every such file
   */
  private ImmutableList<Story> read(Notes notes) {
    ImmutableList.Builder<Story> stories = ImmutableList.builder();
    List<String> problems = new ArrayList<>();
    for (Path path : paths) {
      for (Path file : StoryFiles.find(path)) {
        try {
          stories.add(Story.read(file, notes::add));
        } catch (InputException e) {
          problems.add(String.valueOf(e.getMessage()));
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(problems));
    }
    return stories.build().stream()
        .filter(story -> story.name().contains(filter))
        .collect(toImmutableList());
  }

  /** {@return what became of a scenario; after its update, if there is something to update} */
  private StoryResult play(Story story) {
    StoryResult result = StoryRun.play(story, settings::of);
    if (!update || result.happened().isEmpty()) {
      return result;
    }
    OutputFile.named(story.file().toString(), spec.commandLine().getOut())
        .write(StoryUpdate.text(result));
    updated.add(story.file());
    return StoryRun.play(Story.read(story.file(), note -> {}), settings::of);
  }

  private void print(StoryResult result) {
    Story story = result.story();
    Screen out = screen();
    String verdict = result.isPassed() ? "passed " : "FAILED ";
    out.println(verdict + story.file() + ": " + story.name()
        + (updated.contains(story.file()) ? " (updated)" : ""));
    result.failures().forEach(failure -> print(story, failure, out));
  }

  /** Prints a failure with its place, and how the job stands that it is about. */
  static void print(Story story, StoryFailure failure, Screen out) {
    out.printWrapped("  " + story.file() + ":" + failure.line() + ": " + failure.message());
    failure.job().ifPresent(job -> {
      StringWriter text = new StringWriter();
      ExplanationReport.print(job, Screen.plain(new PrintWriter(text)));
      text.toString().lines().forEach(line -> out.printWrapped("    " + line));
    });
  }
}
