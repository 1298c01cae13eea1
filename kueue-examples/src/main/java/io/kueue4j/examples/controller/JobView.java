package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * A job as the controller knows it. Immutable.
 *
 * @param kind the kind
 * @param namespace the namespace
 * @param name the name
 * @param queue the LocalQueue that it names, empty if it names none
 * @param state where it stands
 * @param workload what the engine knows it as, absent if it does not
 * @param clusterQueue the ClusterQueue whose quota it holds, absent if it holds none
 * @param messages what is said of the state; why a job is pending the engine says
 */
public record JobView(
    String kind,
    String namespace,
    String name,
    String queue,
    JobState state,
    Optional<WorkloadId> workload,
    Optional<String> clusterQueue,
    ImmutableList<String> messages) {}
