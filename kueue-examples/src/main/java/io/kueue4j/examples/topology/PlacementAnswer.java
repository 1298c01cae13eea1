package io.kueue4j.examples.topology;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.Admission;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a job would go if it came now, and how large it could be.
 *
 * @param job the job
 * @param result what the engine would decide
 * @param admission what it would get, at once or after those who would have to stop have stopped;
 *     absent if it would wait
 * @param podSet the pod set whose size was varied: the one with the most pods
 * @param largestCount the largest number of its pods that fits now, others as they are; absent if
 *     none does
 * @param largestPod by resource the largest amount below what its pods ask for with which all fit
 *     now, others as they are; without those of which no amount would do
 */
public record PlacementAnswer(
    SimulatedJob job,
    AdmissionResult result,
    Optional<Admission> admission,
    String podSet,
    OptionalInt largestCount,
    ImmutableMap<String, Long> largestPod) {}
