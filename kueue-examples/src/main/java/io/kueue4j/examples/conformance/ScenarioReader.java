package io.kueue4j.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads scenarios; malformed ones cause an {@link InputException}. */
final class ScenarioReader {
  private static final ManifestReader MANIFESTS = ManifestReader.create();
  private static final WorkloadReader WORKLOADS = new WorkloadReader(PodTemplates.plain());

  private ScenarioReader() {}

  static Scenario scenario(String json) {
    Scenario scenario = VectorJson.read(Scenario.class, "a scenario", json);
    if (scenario.outcome().size() != scenario.steps().size()) {
      throw new InputException("outcome has " + scenario.outcome().size()
          + " entries, expected one for each of " + scenario.steps().size() + " steps");
    }
    return scenario;
  }

  static PlayableScenario read(Scenario scenario) {
    try {
      ImmutableList.Builder<List<ConfigObject>> changes = ImmutableList.builder();
      for (int i = 0; i < scenario.steps().size(); i++) {
        changes.add(
            manifests("steps[" + i + "].apply", scenario.steps().get(i).apply()).configObjects());
      }
      PlayableScenario playable = new PlayableScenario(
          scenario,
          manifests("objects", scenario.objects()).configObjects(),
          workloads(manifests("workloads", scenario.workloads())),
          changes.build());
      checkNames(playable);
      return playable;
    } catch (ManifestException e) {
      ManifestIssue issue = e.problems().get(0);
      String field = issue.field().isEmpty() ? "" : issue.field() + ": ";
      throw new InputException(issue.source() + ": " + field + issue.message(), e);
    } catch (IllegalArgumentException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Manifests manifests(String field, List<JsonNode> objects) {
    List<ManifestSource> sources = new ArrayList<>();
    for (JsonNode object : objects) {
      sources.add(ManifestSource.of(field + "[" + sources.size() + "]", object.toString()));
    }
    return MANIFESTS.read(sources);
  }

  private static ImmutableMap<String, ImportedWorkload> workloads(Manifests manifests) {
    ImmutableMap.Builder<String, ImportedWorkload> workloads = ImmutableMap.builder();
    for (Manifest manifest : manifests.items()) {
      ImportedWorkload imported = WORKLOADS.read(manifest);
      workloads.put(imported.workload().id().toString(), imported);
    }
    return workloads.buildOrThrow();
  }

  private static void checkNames(PlayableScenario playable) {
    playable.scenario().steps().stream()
        .flatMap(step -> Stream.concat(step.submit().stream(), step.finish().stream()))
        .filter(name -> !playable.workloads().containsKey(name))
        .findFirst()
        .ifPresent(name -> {
          throw new InputException("steps name the workload " + name
              + ", which is not among workloads; expected namespace/name of one that is");
        });
  }
}
