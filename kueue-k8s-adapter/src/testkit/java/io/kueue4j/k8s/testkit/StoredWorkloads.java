package io.kueue4j.k8s.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.status.ObjectConditions;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The Workloads on the server: passes what operators write to the engine, and writes what the
 * engine decides to their status.
 */
final class StoredWorkloads {
  private static final ManifestReader READER = ManifestReader.create();

  private final MockApiServer server;
  private final KubernetesAdmission admission;
  private final AdmissionEngine engine;
  private final InstantSource clock;
  private final Map<WorkloadId, GenericKubernetesResource> objects = new LinkedHashMap<>();

  /** What the engine was given last; the engine itself may have deactivated it since. */
  private final Map<WorkloadId, Workload> given = new HashMap<>();

  /** The status of Workloads when they were evicted, which tests have not asked for yet. */
  private final Map<WorkloadId, WorkloadStatus> evictions = new HashMap<>();

  StoredWorkloads(MockApiServer server, KubernetesAdmission admission, InstantSource clock) {
    this.server = server;
    this.admission = admission;
    this.engine = admission.engine();
    this.clock = clock;
  }

  Optional<GenericKubernetesResource> object(WorkloadId id) {
    return Optional.ofNullable(objects.get(id));
  }

  /** {@return the reason of the last eviction that no call has returned, empty if there is none} */
  Optional<String> takeEviction(WorkloadId id) {
    return Optional.ofNullable(evictions.remove(id))
        .flatMap(status -> status.condition(ConditionType.EVICTED))
        .map(WorkloadCondition::reason);
  }

  private static boolean isEvicted(GenericKubernetesResource object) {
    return ObjectConditions.isTrue(object, ConditionType.EVICTED.toString());
  }

  ImmutableSet<WorkloadId> ids() {
    return ImmutableSet.copyOf(objects.keySet());
  }

  /**
   * Passes a change to the engine.
   *
   * @throws IllegalArgumentException if the Workload is invalid; the engine keeps the version
   *     before
   */
  void accept(MockApiServer.Change change) {
    GenericKubernetesResource object = change.object();
    WorkloadId id =
        WorkloadId.of(object.getMetadata().getNamespace(), object.getMetadata().getName());
    if (change.isDeleted()) {
      objects.remove(id);
      forget(id);
      return;
    }
    objects.put(id, object);
    if (ObjectConditions.isTrue(object, WorkloadStatusWriter.FINISHED)) {
      leave(id);
      return;
    }
    ImportedWorkload imported = read(object);
    if (given.containsKey(id)) {
      update(imported);
    } else {
      begin(imported);
    }
  }

  private void leave(WorkloadId id) {
    given.remove(id);
    var unused = engine.finish(id);
  }

  private void forget(WorkloadId id) {
    given.remove(id);
    var unused = engine.delete(id);
  }

  private ImportedWorkload read(GenericKubernetesResource object) {
    return new WorkloadReader(admission.jobWorkloads().podTemplates())
        .read(READER.read(ManifestSource.of(object)).items().get(0));
  }

  private void begin(ImportedWorkload imported) {
    Workload workload = imported.workload();
    if (imported.status().conditions().isEmpty()) {
      throwIfRejected(follow(engine.submit(workload)));
      reclaim(imported);
    } else {
      follow(imported.restoreTo(engine));
    }
    given.put(workload.id(), workload);
  }

  private void reclaim(ImportedWorkload imported) {
    throwIfRejected(follow(engine
        .lifecycle()
        .setReclaimablePods(imported.workload().id(), imported.status().reclaimablePods())));
  }

  private void update(ImportedWorkload imported) {
    Workload workload = imported.workload();
    WorkloadId id = workload.id();
    if (!workload.equals(given.get(id))) {
      throwIfRejected(follow(engine.update(workload)));
      given.put(id, workload);
    }
    WorkloadStatus known = engine.lifecycle().status(id);
    WorkloadStatus stored = imported.status();
    if (!known.reclaimablePods().equals(stored.reclaimablePods())) {
      reclaim(imported);
    }
    if (known.isTrue(ConditionType.QUOTA_RESERVED)
        && !stored.isTrue(ConditionType.QUOTA_RESERVED)) {
      released(imported);
      return;
    }
    stored
        .condition(ConditionType.PODS_READY)
        .filter(ready -> known
            .condition(ConditionType.PODS_READY)
            .filter(before -> before.isTrue() == ready.isTrue())
            .isEmpty())
        .ifPresent(ready -> follow(engine.lifecycle().setPodsReady(id, ready.isTrue())));
    for (AdmissionCheckState check : stored.admissionChecks()) {
      if (known.admissionChecks().stream()
          .anyMatch(before -> before.name().equals(check.name()) && isNews(before, check))) {
        follow(engine.lifecycle().setCheck(id, check));
      }
    }
  }

  /** The operator has reset the admission, as Kueue's reconciler of jobs does. */
  private void released(ImportedWorkload imported) {
    WorkloadId id = imported.workload().id();
    if (engine.isStopping(id)) {
      follow(engine.podsStopped(id));
    } else {
      forget(id);
      begin(imported);
    }
  }

  private static boolean isNews(AdmissionCheckState before, AdmissionCheckState check) {
    return before.state() != check.state()
        || !before.message().equals(check.message())
        || !before.podSetUpdates().equals(check.podSetUpdates());
  }

  /** Marks the elastic slices as finished that the engine has finished. */
  @CanIgnoreReturnValue
  Decisions follow(Decisions decided) {
    decided
        .finishedSlices()
        .forEach(slice -> finish(
            slice.workload(),
            WorkloadStatusWriter.FinishReason.of(slice.reason()),
            slice.message()));
    return decided;
  }

  private static void throwIfRejected(Decisions decided) {
    if (decided.result() instanceof AdmissionResult.Rejected rejected) {
      throw new IllegalArgumentException(rejected.reasons().stream()
          .map(reason -> reason.message())
          .collect(Collectors.joining("; ")));
    }
  }

  /** Marks a Workload as finished, if there is one of that id; its quota is free. */
  void finish(WorkloadId id, WorkloadStatusWriter.FinishReason reason, String message) {
    object(id).ifPresent(object -> {
      objects.put(
          id,
          server.replaceStatus(
              WorkloadStatusWriter.finish(object, reason, message, clock.instant())));
      leave(id);
    });
  }

  /** Writes what has changed in the engine. */
  void write() {
    for (WorkloadId id : ImmutableList.copyOf(given.keySet())) {
      engine
          .workload(id)
          .ifPresent(workload -> object(id).ifPresent(object -> {
            GenericKubernetesResource active = writeActive(object, workload);
            GenericKubernetesResource written = WorkloadStatusWriter.write(
                active, workload, engine.lifecycle().status(id), engine.admission(id));
            if (isEvicted(written) && !isEvicted(active)) {
              evictions.put(id, engine.lifecycle().status(id));
            }
            objects.put(id, written.equals(active) ? active : server.replaceStatus(written));
          }));
    }
  }

  /** Deactivates a Workload that the engine has deactivated, as Kueue does. */
  private GenericKubernetesResource writeActive(
      GenericKubernetesResource object, Workload workload) {
    Workload before = given.get(workload.id());
    if (before == null || before.active() == workload.active()) {
      return object;
    }
    given.put(
        workload.id(), Workload.builder().from(before).active(workload.active()).build());
    GenericKubernetesResource copy = Serialization.clone(object);
    Map<String, Object> spec = copy.get("spec");
    spec.put("active", workload.active());
    return server.replace(copy);
  }
}
