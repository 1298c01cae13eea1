package io.kueue4j.examples.topology;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.Admission;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a job would be placed if it were submitted now, and how large it could be.
 *
 * @param job the job
 * @param result what the engine would decide
 * @param admission its admission, at once or after its victims have stopped; empty if it would wait
 * @param podSet the pod set whose size was varied: the one with the most pods
 * @param largestCount the largest number of its pods that fits now, with the others unchanged;
 *     empty if none does
 * @param largestPod by resource the largest amount, below the request of its pods, with which all
 *     fit now, with the others unchanged; resources for which no amount suffices are absent
 */
public record PlacementAnswer(
    SimulatedJob job,
    AdmissionResult result,
    Optional<Admission> admission,
    String podSet,
    OptionalInt largestCount,
    Map<String, Long> largestPod) {}
