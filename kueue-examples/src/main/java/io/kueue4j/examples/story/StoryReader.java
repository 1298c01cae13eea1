package io.kueue4j.examples.story;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.examples.simulation.GivenObject;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.PodStops;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.examples.simulation.TimeText;
import io.kueue4j.examples.simulation.VirtualClock;
import io.kueue4j.examples.simulation.YamlFile;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ObjectBinder;
import io.kueue4j.k8s.internal.yaml.Suggestion;
import io.kueue4j.k8s.internal.yaml.YamlField;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a scenario and the manifests that it names. Not thread-safe. */
final class StoryReader {
  private static final ImmutableSet<String> ACTIONS = ImmutableSet.of(
      "submit",
      "finish",
      "delete",
      "stopped",
      "wait",
      "failNode",
      "recoverNode",
      "apply",
      "remove");

  private final Path file;
  private final Consumer<ManifestIssue> notes;

  StoryReader(Path file, Consumer<ManifestIssue> notes) {
    this.file = file;
    this.notes = notes;
  }

  Story read(String text) {
    return YamlFile.read(file.toString(), text, "name, given and steps", root -> read(text, root))
        .withoutNotes();
  }

  private Story read(String text, Fields root) {
    String name = root.requiredText("name");
    int line = root.value("name").map(value -> value.line()).orElse(1);
    Manifests given = given(root);
    Instant start = root.text("start").map(time -> time(root, time)).orElse(VirtualClock.START);
    PodStops stops =
        root.choice("stops", Arrays.asList(PodStops.values())).orElse(PodStops.AT_ONCE);
    boolean tpuSlices = root.flag("tpuSlices").orElse(false);
    ImmutableList<StoryStep> steps =
        root.objects("steps").stream().map(this::step).collect(toImmutableList());
    if (steps.isEmpty()) {
      root.missing("steps", "at least one step");
    }
    return new Story(file, text, name, line, given, start, stops, tpuSlices, steps);
  }

  private static Instant time(Fields root, String text) {
    return TimeText.time(text).orElseGet(() -> {
      root.problem("start", YamlScalar.quote(text) + "; expected a time as 2026-01-31T12:00:00Z");
      return VirtualClock.START;
    });
  }

  private Manifests given(Fields root) {
    List<String> names = ExpectationReader.names(root, "given");
    if (names.isEmpty()) {
      root.missing("given", "a file or folder with manifests, or a list of these");
    }
    return readFiles(root, "given", names);
  }

  /** {@return the manifests in files that a field names; none if one does not exist} */
  private Manifests readFiles(Fields fields, String field, List<String> names) {
    List<Path> paths;
    try {
      paths = names.stream().map(name -> file.resolveSibling(name)).toList();
    } catch (InvalidPathException e) {
      fields.problem(field, YamlScalar.quote(e.getInput()) + "; expected a path");
      return ManifestFiles.readSources(ImmutableList.of());
    }
    Optional<Path> missing = paths.stream().filter(path -> !Files.exists(path)).findFirst();
    missing.ifPresent(path -> fields.problem(
        field,
        "there is no file " + path + "; expected one, as seen from the folder of this file"));
    if (paths.isEmpty() || missing.isPresent()) {
      return ManifestFiles.readSources(ImmutableList.of());
    }
    Manifests manifests =
        ManifestFiles.read(paths.stream().map(InputFile::of).toList()).manifests();
    manifests.notes().forEach(notes);
    return manifests;
  }

  private StoryStep step(Fields step) {
    YamlMapping mapping = step.mapping().orElseThrow();
    List<String> actions = ACTIONS.stream().filter(step::has).toList();
    Optional<YamlField> expect = mapping.field("expect");
    Consumer<ManifestPlayer> action = player -> {};
    if (actions.size() == 1) {
      action = action(step, actions.get(0));
    } else if (actions.size() > 1) {
      step.problem(actions.get(1), "a second action; expected one in a step");
    } else if (expect.isEmpty()) {
      String field = mapping.fields().keySet().stream().findFirst().orElse("");
      step.problem(
          field,
          "no action; expected one of " + Joiner.on(", ").join(ACTIONS)
              + Suggestion.question(field, ACTIONS.stream()));
    }
    return new StoryStep(
        mapping.line(), action, expect, ExpectationReader.read(step.object("expect")));
  }

  private Consumer<ManifestPlayer> action(Fields step, String name) {
    return switch (name) {
      case "submit" -> submit(step);
      case "apply" -> {
        Manifests manifests = manifests(step, "apply");
        ManifestPlayer.warningsOfChange(manifests).forEach(notes);
        yield player -> player.apply(manifests);
      }
      case "wait" -> {
        Duration duration = ExpectationReader.duration(step, "wait");
        yield player -> player.advance(duration);
      }
      default -> {
        String object = step.requiredText(name);
        yield switch (name) {
          case "finish" -> player -> player.finish(object);
          case "delete" -> player -> player.delete(object);
          case "stopped" -> player -> player.stopped(object);
          case "failNode" -> player -> player.failNode(object);
          case "recoverNode" -> player -> player.recoverNode(object);
          default -> player -> player.remove(object);
        };
      }
    };
  }

  private Consumer<ManifestPlayer> submit(Fields step) {
    Manifests manifests = manifests(step, "submit");
    for (GivenObject config : GivenObject.of(manifests)) {
      step.problem(
          "submit", config.object().key() + " is no job; expected it in given, or in a step apply");
    }
    Optional<String> job = step.text("job");
    Optional<String> name = step.text("name");
    int copies = step.integer("copies").orElse(1);
    if (copies < 1) {
      step.problem("copies", copies + "; expected at least 1");
    }
    return player -> {
      for (int copy = 1; copy <= copies; copy++) {
        ImmutableList<SimulatedJob> jobs = player.read(manifests).stream()
            .filter(each -> job.isEmpty() || each.isCalled(job.get()))
            .collect(toImmutableList());
        checkJobs(jobs, job, name);
        String suffix = copies == 1 ? "" : "-" + copy;
        for (SimulatedJob each : jobs) {
          // A generated name differs in each copy.
          boolean isNamed =
              name.isPresent() || (copies > 1 && each.manifest().name().isPresent());
          player.create(isNamed ? each.named(name.orElse(each.name()) + suffix) : each);
        }
      }
    };
  }

  private static void checkJobs(
      ImmutableList<SimulatedJob> jobs, Optional<String> job, Optional<String> name) {
    if (jobs.isEmpty()) {
      throw new InputException(job.map(text -> "there is no job " + text + " to submit")
          .orElse("there is no job of a queue to submit"));
    }
    if (jobs.size() > 1 && name.isPresent()) {
      throw new InputException("the name " + name.get() + " is for one job; "
          + SimulatedJob.existing(jobs) + ", choose by job");
    }
  }

  /** {@return the manifests in a file, or the manifest in the field itself} */
  private Manifests manifests(Fields step, String field) {
    if (!(step.value(field).orElse(null) instanceof YamlMapping object)) {
      return readFiles(step, field, step.text(field).stream().toList());
    }
    Issues issues = new Issues(file.toString(), 1);
    Optional<GenericKubernetesResource> resource =
        ObjectBinder.bind(object, GenericKubernetesResource.class, step.path(field), issues);
    issues.problems().forEach(problem -> step.problem(field, problem.message()));
    try {
      Manifests manifests = ManifestFiles.readSources(
          ImmutableList.of(ManifestSource.of(resource.stream().toList())));
      manifests.notes().forEach(note -> step.problem(field, note.toString()));
      return manifests;
    } catch (InputException e) {
      Splitter.on('\n')
          .split(Objects.requireNonNullElse(e.getMessage(), ""))
          .forEach(problem -> step.problem(field, problem));
      return ManifestFiles.readSources(ImmutableList.of());
    }
  }
}
