package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.TestEngine.id;
import static io.kueue4j.k8s.status.TestEngine.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.job.WorkloadWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** An engine restored from stored objects continues like the original one. */
class StoredEngineProperties {
  private static final ImmutableList<EvictionReason> REASONS = ImmutableList.of(
      EvictionReason.NODE_FAILURES,
      EvictionReason.PODS_READY_TIMEOUT,
      EvictionReason.ADMISSION_CHECK,
      EvictionReason.FLAVOR_MIGRATION,
      EvictionReason.CLUSTER_QUEUE_STOPPED);

  private static final ImmutableList<CheckState> STATES = ImmutableList.copyOf(CheckState.values());

  /** A random change of one of a few workloads. */
  record Call(int kind, int workload, int size) {}

  @Provide
  Arbitrary<List<Call>> calls() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 9),
            Arbitraries.integers().between(0, 4),
            Arbitraries.integers().between(1, 7))
        .as(Call::new)
        .list()
        .ofMaxSize(40);
  }

  private static void make(TestEngine t, Call call) {
    WorkloadId id = id("w" + call.workload);
    boolean known = t.workloads.containsKey(id);
    t.pass(call.size);
    switch (call.kind) {
      case 0, 1 -> {
        if (!known) {
          t.submit(job(id.name(), call.size, each -> each.priority(call.size % 3)));
        }
      }
      case 2, 3 -> {
        Decisions cycle = t.engine.runCycle();
        assertThat(cycle).isNotNull();
      }
      case 4 -> {
        if (known) {
          t.engine.lifecycle().evict(id, REASONS.get(call.size % REASONS.size()), "test");
        }
      }
      case 5 -> t.engine.podsStopped(id);
      case 6 -> {
        if (known) {
          t.check(id.name(), STATES.get(call.size % 4), "state");
        }
      }
      case 7 -> {
        if (known) {
          t.engine.lifecycle().setPodsReady(id, call.size % 2 == 0);
        }
      }
      case 8 -> {
        // A workload evicted for another reason, deactivated and activated again before it
        // has stopped holds nothing; its status does not say so.
        if (known && (!isEvicted(t, id) || call.size % 2 == 1)) {
          t.update(id.name(), each -> each.active(call.size % 2 == 0));
        }
      }
      default -> {
        if (known) {
          t.engine.finish(id);
          t.workloads.remove(id);
        }
      }
    }
  }

  private static boolean isEvicted(TestEngine t, WorkloadId id) {
    return t.engine.lifecycle().status(id).isTrue(ConditionType.EVICTED);
  }

  /** The engine deactivates a workload with a rejected check; its owner records that. */
  private static void noteDeactivations(TestEngine t) {
    t.workloads.replaceAll((id, workload) -> {
      boolean deactivated = t.engine
          .lifecycle()
          .status(id)
          .condition(ConditionType.EVICTED)
          .filter(condition -> condition.isTrue() && condition.reason().startsWith("Deactivated"))
          .isPresent();
      return deactivated ? Workload.builder().from(workload).active(false).build() : workload;
    });
  }

  private static GenericKubernetesResource write(
      TestEngine t, GenericKubernetesResource object, Workload workload) {
    return t.write(WorkloadWriter.update(object, workload));
  }

  private static ImmutableList<WorkloadCondition> conditions(TestEngine t, WorkloadId id) {
    return t.engine.lifecycle().status(id).conditions().stream()
        .filter(each ->
            each.type() != ConditionType.QUOTA_RESERVED && each.type() != ConditionType.ADMITTED)
        .collect(ImmutableList.toImmutableList());
  }

  private static GenericKubernetesResource created(Workload workload, boolean recent) {
    long cpu = workload.podSets().get(0).requests().getOrDefault("cpu", 0L) / 1000;
    return KueueObjects.workload(recent ? "v1beta2" : "v1beta1", workload.name(), (int) cpu);
  }

  @Property(tries = 150)
  void goesOnFromWhatIsStored(@ForAll("calls") List<Call> calls, @ForAll boolean recent) {
    TestEngine t = TestEngine.checking();
    Map<WorkloadId, GenericKubernetesResource> objects = new TreeMap<>();
    for (Call call : calls) {
      make(t, call);
      noteDeactivations(t);
      objects.keySet().retainAll(t.workloads.keySet());
      t.workloads.forEach((id, workload) ->
          objects.put(id, write(t, objects.getOrDefault(id, created(workload, recent)), workload)));
    }

    TestEngine rebuilt = TestEngine.checking();
    rebuilt.pass(Duration.between(rebuilt.now(), t.now()).toSeconds());
    objects.forEach((id, object) -> KueueObjects.read(object).restoreTo(rebuilt.engine));

    for (WorkloadId id : objects.keySet()) {
      assertThat(rebuilt.engine.admission(id)).as("%s", id).isEqualTo(t.engine.admission(id));
      assertThat(conditions(rebuilt, id)).as("%s", id).isEqualTo(conditions(t, id));
      assertThat(rebuilt.engine.lifecycle().status(id).admissionChecks())
          .isEqualTo(t.engine.lifecycle().status(id).admissionChecks());
      assertThat(rebuilt.engine.lifecycle().status(id).phase())
          .isEqualTo(t.engine.lifecycle().status(id).phase());
    }
    assertThat(rebuilt.engine.view().clusterQueue("cq").orElseThrow().usage())
        .isEqualTo(t.engine.view().clusterQueue("cq").orElseThrow().usage());
  }
}
