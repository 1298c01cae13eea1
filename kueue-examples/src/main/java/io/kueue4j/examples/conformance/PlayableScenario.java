package io.kueue4j.examples.conformance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.k8s.kueue.ImportedWorkload;

/**
 * A scenario with its Kubernetes objects in the engine's form.
 *
 * @param scenario the scenario
 * @param configuration what holds at the start
 * @param workloads the workloads by {@code namespace/name}, in the order of the scenario
 * @param changes what each step applies
 */
record PlayableScenario(
    Scenario scenario,
    ImmutableList<ConfigObject> configuration,
    ImmutableMap<String, ImportedWorkload> workloads,
    ImmutableList<ImmutableList<ConfigObject>> changes) {}
