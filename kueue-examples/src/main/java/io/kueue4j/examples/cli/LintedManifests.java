package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.lint.ConfigurationLint;
import io.kueue4j.core.lint.Finding;
import io.kueue4j.core.lint.LintRule;
import io.kueue4j.core.lint.LoopReport;
import io.kueue4j.core.lint.LoopSearch;
import io.kueue4j.core.lint.LoopSearch.Bounds;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.Latest;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.topology.TpuNodePools;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds faults in manifests, and says where they are. */
final class LintedManifests {
  private final Manifests manifests;
  private final Settings settings;
  private final boolean tpuSlices;

  LintedManifests(Manifests manifests, Settings settings, boolean tpuSlices) {
    this.manifests = manifests;
    this.settings = settings;
    this.tpuSlices = tpuSlices;
  }

  /** {@return the loops of preemptions, none if Kueue would refuse the configuration} */
  Optional<LoopReport> loops(Bounds bounds) {
    try {
      return Optional.of(LoopSearch.of(Latest.inForce(manifests))
          .withSettings(settings)
          .withBounds(bounds)
          .run());
    } catch (InvalidConfigurationException e) {
      return Optional.empty();
    }
  }

  /**
   * {@return the findings, in the order of their places}
   *
   * @param loops the loops that were found, if any were searched
   * @throws InputException if a job breaks rules
   */
  ImmutableList<PlacedFinding> findings(Optional<LoopReport> loops) {
    List<ConfigObject> objects = Latest.inForce(manifests);
    ImmutableList<SimulatedJob> jobs;
    try {
      jobs = ManifestPlayer.of(manifests, settings, tpuSlices).jobs();
    } catch (InputException e) {
      if (!(e.getCause() instanceof InvalidConfigurationException)) {
        throw e;
      }
      return refused(objects, e);
    }
    List<Finding> findings =
        new ArrayList<>(ConfigurationLint.of(tpuSlices ? TpuNodePools.configure(objects) : objects)
            .withSettings(settings)
            .withWorkloads(jobs.stream().map(SimulatedJob::workload).toList())
            .findings());
    loops.ifPresent(report -> findings.addAll(report.findings()));
    return placed(findings, jobs);
  }

  private ImmutableList<PlacedFinding> refused(List<ConfigObject> objects, InputException failure) {
    List<Finding> findings =
        ConfigurationLint.of(objects).withSettings(settings).findings();
    if (findings.stream().noneMatch(finding -> finding.rule() == LintRule.INVALID_OBJECT)) {
      throw failure; // The labels of nodes do not make up TPU pools.
    }
    return placed(findings, ImmutableList.of());
  }

  private ImmutableList<PlacedFinding> placed(
      List<Finding> findings, ImmutableList<SimulatedJob> jobs) {
    ImmutableMap<String, SimulatedJob> byKey =
        jobs.stream().collect(toImmutableMap(job -> "Workload " + job.workload().id(), job -> job));
    ImmutableList<String> sources =
        manifests.items().stream().map(Manifest::source).distinct().collect(toImmutableList());
    return findings.stream()
        .map(finding -> placed(finding, byKey))
        .sorted(Comparator.comparing(
                (PlacedFinding each) -> sources.indexOf(each.place().source()))
            .thenComparing(each -> each.place().line()))
        .collect(toImmutableList());
  }

  private PlacedFinding placed(Finding finding, ImmutableMap<String, SimulatedJob> jobs) {
    SimulatedJob job = jobs.get(finding.object());
    if (job != null) {
      return new PlacedFinding(
          finding,
          job.manifest().kind() + " " + job.namespace() + "/" + job.name(),
          job.manifest().issue("metadata.name", finding.message()),
          MissingNode.getInstance());
    }
    ManifestIssue place = manifests
        .locate(finding.toViolation())
        .orElseGet(
            () -> new ManifestIssue(finding.object(), 0, 0, 0, finding.field(), finding.message()));
    JsonNode content = manifests.configuration().entrySet().stream()
        .filter(config -> config.getValue().key().equals(finding.object()))
        .reduce((first, last) -> last)
        .map(config -> config.getKey().as(JsonNode.class))
        .orElse(MissingNode.getInstance());
    return new PlacedFinding(finding, finding.object(), place, content);
  }
}
