package io.kueue4j.examples.conformance;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.util.List;

/**
 * A scenario with its Kubernetes objects converted to the engine's model.
 *
 * @param scenario the scenario
 * @param configuration the initial configuration
 * @param workloads the workloads by {@code namespace/name}, in the order of the scenario
 * @param changes the objects that each step applies
 */
record PlayableScenario(
    Scenario scenario,
    List<ConfigObject> configuration,
    ImmutableMap<String, ImportedWorkload> workloads,
    List<List<ConfigObject>> changes) {}
