package io.kueue4j.k8s.internal.kueue;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import io.kueue4j.core.model.WorkloadStatus.PreemptionGateState;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the history of a workload from {@code Workload.status}. Rules: L-1, L-6, L-7, L-8, L-9,
 * L-25.
 */
final class WorkloadHistoryReader {
  private static final List<ConditionType> TYPES = Arrays.asList(ConditionType.values());
  private static final List<EvictionCause> CAUSES = Arrays.asList(EvictionCause.values());

  private static final ImmutableMap<String, Boolean> GATE_IS_OPEN =
      ImmutableMap.of("Closed", false, "Open", true);

  private final KueueApiVersion version;
  private final WorkloadStatus.Builder status = WorkloadStatus.builder();

  WorkloadHistoryReader(KueueApiVersion version) {
    this.version = version;
  }

  /** Adds a condition if the engine knows its type and its status is true or false. */
  void addCondition(String type, String state, Fields condition) {
    boolean isTrue = state.equals("True");
    if (isTrue || state.equals("False")) {
      TYPES.stream()
          .filter(known -> known.toString().equals(type))
          .forEach(known -> status.addConditions(new WorkloadCondition(
              known,
              isTrue,
              condition.text("reason").orElse(""),
              condition.text("message").orElse(""),
              WorkloadReader.time(condition, "lastTransitionTime").orElse(Instant.EPOCH))));
    }
  }

  /** {@return the status read so far} */
  WorkloadStatus read(Fields fields) {
    Fields requeueState = fields.object("requeueState");
    requeueState.integer("count").ifPresent(status::requeueCount);
    WorkloadReader.time(requeueState, "requeueAt").ifPresent(status::requeueAt);
    fields
        .integer(VersionDifferences.pastExecutionTimeField(version))
        .ifPresent(seconds -> status.accumulatedPastExecutionTime(Duration.ofSeconds(seconds)));
    for (Fields reclaimable : fields.objects("reclaimablePods")) {
      status.putReclaimablePods(
          reclaimable.requiredText("name"), reclaimable.integer("count").orElse(0));
    }
    for (Fields check : fields.objects("admissionChecks")) {
      status.addAdmissionChecks(check(check));
    }
    for (Fields eviction : fields.object("schedulingStats").objects("evictions")) {
      eviction(eviction).ifPresent(count -> status.addAllEvictions(List.of(count)));
    }
    for (Fields node : fields.objects("unhealthyNodes")) {
      status.addUnhealthyNodes(node.requiredText("name"));
    }
    status.addAllPreemptionGates(fields.objects("preemptionGates").stream()
        .map(WorkloadHistoryReader::gate)
        .sorted(Comparator.comparing(PreemptionGateState::name))
        .collect(toImmutableList()));
    return status.build();
  }

  private static PreemptionGateState gate(Fields gate) {
    return new PreemptionGateState(
        gate.requiredText("name"),
        gate.choice("position", GATE_IS_OPEN).orElse(false),
        WorkloadReader.time(gate, "lastTransitionTime").orElse(Instant.EPOCH));
  }

  private static AdmissionCheckState check(Fields check) {
    AdmissionCheckState.Builder state = AdmissionCheckState.builder()
        .name(check.requiredText("name"))
        .state(check.choice("state", Arrays.asList(CheckState.values())).orElse(CheckState.PENDING))
        .message(check.text("message").orElse(""));
    WorkloadReader.time(check, "lastTransitionTime").ifPresent(state::lastTransitionTime);
    check
        .integer("requeueAfterSeconds")
        .ifPresent(seconds -> state.requeueAfter(Duration.ofSeconds(seconds)));
    check.integer("retryCount").ifPresent(state::retryCount);
    for (Fields update : check.objects("podSetUpdates")) {
      state.addPodSetUpdates(PodSetUpdate.builder()
          .name(update.requiredText("name"))
          .putAllLabels(update.textMap("labels"))
          .putAllAnnotations(update.textMap("annotations"))
          .putAllNodeSelector(update.textMap("nodeSelector"))
          .addAllTolerations(FlavorReader.tolerations(update))
          .build());
    }
    return state.build();
  }

  private static Optional<EvictionCount> eviction(Fields eviction) {
    String reason = eviction.requiredText("reason");
    String cause = eviction.text("underlyingCause").orElse("");
    OptionalInt count = eviction.integer("count");
    Optional<EvictionReason> known = EvictionReason.named(reason);
    Optional<EvictionCause> knownCause =
        CAUSES.stream().filter(each -> each.toString().equals(cause)).findFirst();
    if (known.isEmpty() || (knownCause.isEmpty() && !cause.isEmpty())) {
      eviction.note(
          known.isEmpty() ? "reason" : "underlyingCause",
          YamlScalar.quote(known.isEmpty() ? reason : cause) + " is not known; not counted");
      return Optional.empty();
    }
    return count.stream()
        .filter(number -> number > 0)
        .mapToObj(number -> new EvictionCount(known.get(), knownCause, number))
        .findFirst();
  }
}
