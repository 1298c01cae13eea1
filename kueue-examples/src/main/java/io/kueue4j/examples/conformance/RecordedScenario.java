package io.kueue4j.examples.conformance;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster before a number of cycles of Kueue's scheduler: one line of a file
 * {@link RecordedFile#SCENARIOS}.
 *
 * @param name the name, unique in the file
 * @param gates the feature gates that are set
 * @param fairSharing the fair sharing settings, null if it is off
 * @param now the time, which stands still
 * @param objects the configuration, nodes and pods, as Kubernetes objects
 * @param workloads the Workload objects with their status
 * @param cycles the number of cycles
 */
record RecordedScenario(
    @JsonProperty(required = true) String name,
    Map<String, Boolean> gates,
    Scenario.@Nullable FairSharing fairSharing,
    @JsonProperty(required = true) String now,
    @JsonProperty(required = true) List<JsonNode> objects,
    @JsonProperty(required = true) List<JsonNode> workloads,
    @JsonProperty(required = true) int cycles) {}
