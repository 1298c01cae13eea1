package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.KueueObjects.stored;
import static io.kueue4j.k8s.status.KueueObjects.workload;
import static io.kueue4j.k8s.status.TestEngine.id;
import static io.kueue4j.k8s.status.TestEngine.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Reading a written status returns the original, and writing it again changes nothing. */
class StatusRoundTripProperties {
  @Provide
  Arbitrary<WorkloadStatus> statuses() {
    return Combinators.combine(
            conditions(),
            checks(),
            Arbitraries.integers().between(0, 3),
            times().optional(),
            Arbitraries.integers().between(0, 100_000),
            evictions(),
            Arbitraries.integers().between(0, 2))
        .as((conditions, checks, count, requeueAt, past, evictions, ended) ->
            WorkloadStatus.builder()
                .addAllConditions(conditions)
                .addAllAdmissionChecks(checks)
                .requeueCount(count)
                .requeueAt(requeueAt)
                .accumulatedPastExecutionTime(Duration.ofSeconds(past))
                .addAllEvictions(evictions)
                .reclaimablePods(ended == 0 ? Map.of() : Map.of("main", ended))
                .build());
  }

  private static Arbitrary<Instant> times() {
    return Arbitraries.longs().between(0, 4_000_000_000L).map(Instant::ofEpochSecond);
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("aZ0 ä€:-#'\"{}[]&*!|>%@\\\n").ofMaxLength(12);
  }

  private static Arbitrary<List<WorkloadCondition>> conditions() {
    return Arbitraries.of(ConditionType.class)
        .set()
        .flatMap(types -> Combinators.combine(types.stream()
                .sorted()
                .map(StatusRoundTripProperties::condition)
                .toList())
            .as(conditions -> conditions));
  }

  private static Arbitrary<WorkloadCondition> condition(ConditionType type) {
    Arbitrary<String> reasons = type == ConditionType.PREEMPTED
        ? Arbitraries.of(PreemptionReason.class).map(PreemptionReason::toString)
        : Arbitraries.of("Preempted", "Some_Reason", "WaitForStart", "Deactivated");
    return Combinators.combine(Arbitraries.of(true, false), reasons, texts(), times())
        .as((isTrue, reason, message, time) ->
            new WorkloadCondition(type, isTrue, reason, message, time));
  }

  private static Arbitrary<List<AdmissionCheckState>> checks() {
    Arbitrary<PodSetUpdate> update = Combinators.combine(
            Arbitraries.maps(Arbitraries.of("a", "b/c"), texts()),
            Arbitraries.maps(Arbitraries.of("d", "e"), texts()),
            Arbitraries.of(
                ImmutableList.<Toleration>of(),
                ImmutableList.of(Toleration.exists("k")),
                ImmutableList.of(Toleration.equal("k", "v"), Toleration.exists(""))))
        .as((some, others, tolerations) -> PodSetUpdate.builder()
            .name("main")
            .putAllLabels(some)
            .putAllAnnotations(others)
            .putAllNodeSelector(some)
            .addAllTolerations(tolerations)
            .build());
    Arbitrary<AdmissionCheckState> check = Combinators.combine(
            Arbitraries.of("a", "b", "c"),
            Arbitraries.of(CheckState.class),
            times(),
            texts(),
            Arbitraries.integers().between(0, 1000).map(Duration::ofSeconds).optional(),
            Arbitraries.integers().between(0, 3),
            update.list().ofMaxSize(1))
        .as((name, state, time, message, after, retries, updates) -> AdmissionCheckState.builder()
            .name(name)
            .state(state)
            .lastTransitionTime(time)
            .message(message)
            .requeueAfter(after)
            .retryCount(retries)
            .addAllPodSetUpdates(updates)
            .build());
    return check.list().ofMaxSize(3).uniqueElements(AdmissionCheckState::name);
  }

  private static Arbitrary<List<EvictionCount>> evictions() {
    return Combinators.combine(
            Arbitraries.of(EvictionReason.class),
            Arbitraries.of(EvictionCause.class).optional(),
            Arbitraries.integers().between(1, 5))
        .as(EvictionCount::new)
        .list()
        .ofMaxSize(3);
  }

  private static Optional<Admission> admission(WorkloadStatus status, boolean delayed) {
    return status
        .condition(ConditionType.QUOTA_RESERVED)
        .filter(WorkloadCondition::isTrue)
        .map(reserved -> {
          PodSetAssignment.Builder podSet = PodSetAssignment.builder()
              .name("main")
              .count(1)
              .putFlavors("cpu", "default")
              .resourceUsageAmount("cpu", 4000);
          if (delayed) {
            podSet.delayedTopologyRequest(DelayedTopologyRequest.PENDING);
          }
          return Admission.builder()
              .workload(id("w"))
              .clusterQueue("cq")
              .quotaReservedTime(reserved.lastTransitionTime())
              .addPodSetAssignments(podSet.build())
              .build();
        });
  }

  /** {@return the summary with messages that name the ClusterQueue} */
  private static WorkloadStatus asWritten(WorkloadStatus status) {
    return WorkloadStatus.builder()
        .from(status)
        .conditions(status.conditions().stream()
            .map(condition -> message(condition, status)
                .map(message -> new WorkloadCondition(
                    condition.type(),
                    condition.isTrue(),
                    condition.reason(),
                    message,
                    condition.lastTransitionTime()))
                .orElse(condition))
            .toList())
        .build();
  }

  private static Optional<String> message(WorkloadCondition condition, WorkloadStatus status) {
    if (!condition.isTrue() || !status.isTrue(ConditionType.QUOTA_RESERVED)) {
      return Optional.empty();
    }
    return switch (condition.type()) {
      case QUOTA_RESERVED -> Optional.of("Quota reserved in ClusterQueue cq");
      case ADMITTED -> Optional.of("The workload is admitted by ClusterQueue cq");
      default -> Optional.empty();
    };
  }

  @Property(tries = 300)
  void whatIsWrittenIsReadAsItWas(
      @ForAll("statuses") WorkloadStatus status,
      @ForAll boolean recent,
      @ForAll boolean delayed,
      @ForAll boolean active) {
    Optional<Admission> admission = admission(status, delayed);
    GenericKubernetesResource object = workload(recent ? "v1beta2" : "v1beta1", "w", 4);

    GenericKubernetesResource written = stored(WorkloadStatusWriter.write(
        object, job("w", 4, each -> each.active(active)), status, admission));
    ImportedWorkload read = KueueObjects.read(written);

    assertThat(read.status()).isEqualTo(asWritten(status));
    assertThat(read.admission()).isEqualTo(admission);
    assertThat(read.notes()).isEmpty();
  }

  @Property(tries = 200)
  void whatIsReadIsWrittenAsItIs(
      @ForAll("statuses") WorkloadStatus status, @ForAll boolean recent) {
    GenericKubernetesResource object = workload(recent ? "v1beta2" : "v1beta1", "w", 4);
    GenericKubernetesResource written =
        stored(WorkloadStatusWriter.write(object, job("w", 4), status, admission(status, false)));
    ImportedWorkload read = KueueObjects.read(written);

    assertThat(stored(
            WorkloadStatusWriter.write(written, read.workload(), read.status(), read.admission())))
        .isEqualTo(written);
  }

  @Property(tries = 200)
  void ofTwoWritesTheSecondCounts(
      @ForAll("statuses") WorkloadStatus first,
      @ForAll("statuses") WorkloadStatus second,
      @ForAll boolean recent) {
    GenericKubernetesResource object = workload(recent ? "v1beta2" : "v1beta1", "w", 4);
    GenericKubernetesResource before =
        stored(WorkloadStatusWriter.write(object, job("w", 4), first, admission(first, false)));
    GenericKubernetesResource after =
        stored(WorkloadStatusWriter.write(before, job("w", 4), second, admission(second, false)));

    WorkloadStatus read = KueueObjects.read(after).status();

    assertThat(read.admissionChecks()).isEqualTo(second.admissionChecks());
    assertThat(read.requeueCount()).isEqualTo(second.requeueCount());
    assertThat(read.requeueAt()).isEqualTo(second.requeueAt());
    assertThat(read.evictions()).isEqualTo(second.evictions());
    for (WorkloadCondition condition : asWritten(second).conditions()) {
      WorkloadCondition found = read.condition(condition.type()).orElseThrow();
      assertThat(found.isTrue()).isEqualTo(condition.isTrue());
      assertThat(found.reason()).isEqualTo(condition.reason());
      assertThat(found.message()).isEqualTo(condition.message());
      Optional<Instant> was = first
          .condition(condition.type())
          .filter(known -> known.isTrue() == condition.isTrue())
          .map(WorkloadCondition::lastTransitionTime);
      // It changes only with the status, and never backwards.
      assertThat(found.lastTransitionTime())
          .isIn(was.orElse(condition.lastTransitionTime()), condition.lastTransitionTime());
      was.ifPresent(time -> assertThat(found.lastTransitionTime()).isAfterOrEqualTo(time));
    }
  }
}
