package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for faults in a configuration: limits without effect, quota that nobody can use or that its
 * owner cannot reclaim, queues and workloads that are never served. Immutable.
 *
 * <pre>{@code
 * List<Finding> findings = ConfigurationLint.of(objects)
 *     .withSettings(settings)
 *     .withWorkloads(jobs)
 *     .findings();
 * findings.forEach(finding -> log(finding.toString()));
 * }</pre>
 *
 * <p>What a finding says of workloads was played on a private engine with the configuration. A
 * claim that the engine does not confirm is not reported. So a configuration may have faults that
 * are not found, but what is found is true of these objects.
 *
 * @since 0.1.0
 */
public final class ConfigurationLint {
  private final ImmutableList<ConfigObject> objects;
  private final Settings settings;
  private final ImmutableList<Workload> workloads;

  private ConfigurationLint(
      ImmutableList<ConfigObject> objects, Settings settings, ImmutableList<Workload> workloads) {
    this.objects = objects;
    this.settings = settings;
    this.workloads = workloads;
  }

  /**
   * {@return the check of a configuration, with Kueue's default settings and without workloads}
   *
   * @param objects the objects, each kind and name at most once
   */
  public static ConfigurationLint of(Iterable<? extends ConfigObject> objects) {
    return new ConfigurationLint(
        ImmutableList.copyOf(objects), Settings.defaults(), ImmutableList.of());
  }

  /** {@return this check for an engine with other settings} */
  public ConfigurationLint withSettings(Settings settings) {
    return new ConfigurationLint(objects, settings, workloads);
  }

  /**
   * {@return this check with workloads that will be submitted, each of which should be admitted if
   * nothing else runs}
   */
  public ConfigurationLint withWorkloads(Iterable<Workload> workloads) {
    return new ConfigurationLint(objects, settings, ImmutableList.copyOf(workloads));
  }

  /**
   * {@return the faults, in the order of the objects, then by field and rule; only violations of
   * rules if Kueue would refuse the configuration}
   */
  public List<Finding> findings() {
    Stage stage;
    try {
      stage = Stage.create(objects, settings);
    } catch (InvalidConfigurationException e) {
      return e.violations().stream()
          .map(violation -> new Finding(
              LintRule.INVALID_OBJECT,
              violation.object(),
              violation.field(),
              violation.problem(),
              "correct it; Kueue refuses the object as it is",
              Optional.empty()))
          .collect(toImmutableList());
    }
    List<Finding> findings = new ArrayList<>();
    new ReferenceRules(stage, stage.quotas()).check(findings::add);
    new NodeRules(stage).check(findings::add);
    new QuotaRules(stage, stage.quotas()).check(findings::add);
    new LimitRules(stage, stage.quotas()).check(findings::add);
    new SharingRules(stage, workloads).check(findings::add);
    new WorkloadRules(stage, workloads).check(findings::add);
    return inOrder(findings);
  }

  private ImmutableList<Finding> inOrder(List<Finding> findings) {
    Map<String, Integer> positions = new HashMap<>();
    objects.forEach(object -> positions.putIfAbsent(object.key(), positions.size()));
    ImmutableMap<String, Integer> order = ImmutableMap.copyOf(positions);
    return ImmutableList.sortedCopyOf(
        Comparator.comparing(
                (Finding finding) -> order.getOrDefault(finding.object(), order.size()))
            .thenComparing(Finding::object)
            .thenComparing(Finding::field)
            .thenComparing(Finding::rule),
        findings);
  }
}
