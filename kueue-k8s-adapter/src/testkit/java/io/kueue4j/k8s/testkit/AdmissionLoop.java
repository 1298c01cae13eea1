package io.kueue4j.k8s.testkit;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Kueue in this process: passes what clients write to an engine, lets it decide, and writes status.
 * The calls of all its methods hold the monitor of the server.
 */
final class AdmissionLoop {
  /** More than a test needs; a run ends earlier, when a further cycle would decide the same. */
  private static final int MAX_CYCLES = 10_000;

  private final MockApiServer server;
  private final AdmissionEngine engine;
  private final Problems problems = new Problems();
  private final StoredConfiguration configuration;
  private final StoredWorkloads workloads;

  AdmissionLoop(Settings settings, InstantSource clock) {
    server = new MockApiServer(clock, this::accept);
    engine = AdmissionEngine.builder().clock(clock).settings(settings).build();
    KubernetesAdmission admission = KubernetesAdmission.builder().engine(engine).build();
    configuration = new StoredConfiguration(server, admission, clock, problems);
    workloads = new StoredWorkloads(server, admission, clock);
  }

  MockApiServer server() {
    return server;
  }

  AdmissionEngine engine() {
    return engine;
  }

  Problems problems() {
    return problems;
  }

  StoredWorkloads workloads() {
    return workloads;
  }

  private void accept(ImmutableList<MockApiServer.Change> changes) {
    boolean isNews = false;
    for (MockApiServer.Change change : changes) {
      isNews |= accept(change);
    }
    if (isNews) {
      decide();
    }
  }

  /** {@return whether Kueue reads such objects} */
  private boolean accept(MockApiServer.Change change) {
    GenericKubernetesResource object = change.object();
    boolean isWorkload = object.getKind().equals(KueueReader.WORKLOAD)
        && object.getApiVersion().startsWith(KueueApiVersion.GROUP);
    if (!isWorkload && !StoredConfiguration.concerns(object)) {
      return false;
    }
    String problem = "";
    try {
      if (isWorkload) {
        workloads.accept(change);
      } else {
        configuration.accept(change);
      }
    } catch (IllegalArgumentException e) {
      problem = String.valueOf(e.getMessage());
    }
    problems.set(Problems.key(object), problem);
    return true;
  }

  /** Decides all that can be decided now, and writes it. */
  void decide() {
    configuration.removeDeleted();
    workloads.follow(engine.tick());
    StableRun run = engine.runUntilStable(MAX_CYCLES, this::runCycle);
    workloads.follow(run.decisions());
    workloads.write();
    configuration.write();
  }

  /** An admission counts as stored before the next cycle, as in Kueue. */
  private Decisions runCycle() {
    Decisions cycle = engine.runCycle();
    for (Admission admission : cycle.admitted()) {
      engine.lifecycle().admissionRecorded(admission.workload());
    }
    for (Admission admission : cycle.reserved()) {
      engine.lifecycle().admissionRecorded(admission.workload());
    }
    return cycle;
  }

  /** {@return why a Workload is not admitted, in words} */
  String reasons(WorkloadId id) {
    Optional<String> problem = problems.of("Workload " + id);
    if (problem.isPresent()) {
      return "it is invalid: " + problem.get();
    }
    if (engine.workload(id).isEmpty()) {
      return workloads.object(id).isPresent()
          ? "it has finished"
          : "there is no such Workload; there are " + workloads.ids() + ", problems: "
              + problems.all();
    }
    if (engine.isStopping(id)) {
      return "it is evicted, and holds its quota until its operator deletes it or resets its"
          + " admission";
    }
    if (engine.lifecycle().status(id).isTrue(ConditionType.ADMITTED)) {
      return "it is admitted";
    }
    Explanation explanation = engine.explain(id);
    return Stream.concat(
            explanation.reasons().stream().map(Reason::message),
            explanation.remedy().stream()
                .map(remedy -> "it would be admitted if: " + remedy.message()))
        .collect(joining("; "));
  }
}
