package io.kueue4j.examples.docs;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.simulation.Durations;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.StartEstimate;
import io.kueue4j.core.simulation.StartEstimator;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.core.testkit.HarnessResult;
import io.kueue4j.core.testkit.HarnessRun;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.examples.monitoring.MetricsHandler;
import io.kueue4j.examples.monitoring.MicrometerSink;
import io.kueue4j.examples.monitoring.MonitorView;
import io.kueue4j.examples.monitoring.PageHandler;
import io.kueue4j.examples.tracing.TracingListener;
import io.kueue4j.k8s.ApplyResult;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.job.WorkloadWriter;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.kueue4j.k8s.status.WorkloadEvents;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import io.kueue4j.k8s.topology.NodeQuota;
import io.kueue4j.k8s.topology.NodeTracker;
import io.kueue4j.k8s.topology.PodPlacer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Java of the documentation; what stands between two marks is what stands there. */
public final class Snippets {
  private Snippets() {}

  /** {@return why a workload waits and what would help, line by line} */
  public static List<String> explain(AdmissionEngine engine, WorkloadId id) {
    List<String> lines = new ArrayList<>();
    // snippet
    Explanation why = engine.explain(id);
    lines.add(why.positionInClusterQueue().orElse(0) + " workloads before it");
    for (Reason reason : why.reasons()) {
      lines.add(reason.message());
      reason.figures().ifPresent(figures -> lines.add("held by " + figures.holders()));
    }
    why.remedy().ifPresent(remedy -> lines.add("would be admitted if: " + remedy.message()));
    // end
    return lines;
  }

  /** {@return when workloads are going to start} */
  public static Map<WorkloadId, StartEstimate> estimate(
      AdmissionEngine engine, Instant now, List<SimulationJob> history, List<WorkloadId> waiting) {
    // snippet
    Map<WorkloadId, StartEstimate> estimates = StartEstimator.from(engine.view(), now)
        .durations(Durations.empirical(history).or(Durations.maximumExecutionTimes()))
        .arrivals(history)
        .samples(200, 1)
        .estimate(waiting);
    // end
    return estimates;
  }

  /** {@return the decisions of a cycle, which are spans as well} */
  public static Decisions traced(OpenTelemetry openTelemetry, ConfigObject... configuration) {
    // snippet
    TracingListener tracing = new TracingListener(openTelemetry);
    AdmissionEngine engine = AdmissionEngine.builder()
        .listener(tracing, failure -> failure.printStackTrace())
        .build();
    tracing.trace("kueue.apply", engine, it -> it.apply(configuration));
    Decisions cycle = tracing.trace("kueue.cycle", engine, AdmissionEngine::runCycle);
    // end
    return cycle;
  }

  /** {@return the jobs of a file that one cycle starts; {@code lines} receive what is wrong} */
  public static List<HasMetadata> fromManifests(Path path, List<String> lines) throws IOException {
    List<HasMetadata> started = new ArrayList<>();
    // snippet
    KubernetesAdmission admission = KubernetesAdmission.create();
    ApplyResult result = admission.apply(ManifestSource.of(path));
    result.problems().forEach(problem -> lines.add(problem.toString()));
    Decisions cycle = admission.engine().runCycle();
    cycle.admitted().forEach(admitted -> started.add(admission.start(admitted.workload())));
    // end
    return started;
  }

  /** {@return the Workload of a job with its status, and the events of a cycle about it} */
  public static List<HasMetadata> write(
      KubernetesAdmission admission, WorkloadId id, Decisions cycle, Instant now) {
    List<HasMetadata> writes = new ArrayList<>();
    // snippet
    AdmissionEngine engine = admission.engine();
    Workload workload = engine.workload(id).orElseThrow();
    GenericKubernetesResource object = WorkloadWriter.of(
            KueueApiVersion.V1BETA2, admission.jobWorkloads())
        .write(admission.job(id).orElseThrow(), workload);
    WorkloadStatus status = engine.lifecycle().status(id);
    writes.add(WorkloadStatusWriter.write(object, workload, status, engine.admission(id)));
    WorkloadEvents.of(each -> engine.workload(each).orElseThrow(), engine.lifecycle()::status)
        .ofCycle(cycle)
        .stream()
        .filter(each -> each.workload().equals(id))
        .forEach(each -> writes.add(each.event().toEvent(object, now)));
    // end
    return writes;
  }

  /** {@return what one cycle would do with another queue} */
  public static Decisions whatIf(AdmissionEngine engine, ClusterQueue largerQueue) {
    // snippet
    AdmissionEngine study = engine.view().whatIf();
    study.apply(largerQueue);
    Decisions decided = study.runCycle();
    // end
    return decided;
  }

  /** {@return the pods of a workload, no longer gated, if it is admitted on these nodes} */
  public static List<Pod> place(
      AdmissionEngine engine,
      List<Node> nodes,
      List<Pod> pods,
      Workload workload,
      List<Pod> gatedPods) {
    List<Pod> placed = new ArrayList<>();
    // snippet
    NodeTracker tracker = NodeTracker.create();
    tracker.relistNodes(nodes);
    tracker.relistPods(pods);
    tracker.applyTo(engine);
    if (engine.tryAdmit(workload).result() instanceof AdmissionResult.Admitted admitted) {
      for (PodPlacer.Placement placement :
          PodPlacer.place(workload, admitted.admission(), gatedPods)) {
        placed.add(placement.ungated());
      }
    }
    // end
    return placed;
  }

  /** {@return the slices that a workload is given of a pod} */
  public static List<SliceAssignment> slices(AdmissionEngine engine) {
    List<SliceAssignment> slices = new ArrayList<>();
    // snippet
    TpuPool pod = TpuPool.grid("pod-0", TpuGeneration.V6E, SliceShape.parse("16x16"), 4);
    engine.apply(
        TpuPoolSet.of("v6e", pod),
        ResourceFlavor.builder().name("tpu").tpuPoolSet("v6e").build());
    PodSet workers = PodSet.builder()
        .count(16)
        .request("google.com/tpu", "4")
        .sliceRequest(SliceRequest.of("4x8").withCount(2))
        .build();
    Workload training = Workload.of("team-a", "training", "queue", workers);
    if (engine.tryAdmit(training).result() instanceof AdmissionResult.Admitted admitted) {
      admitted.admission().podSetAssignments().get(0).slices().forEach(slice -> slices.add(slice));
    }
    // end
    return slices;
  }

  /** {@return a server of metrics and of a page, not started yet} */
  public static HttpServer monitor(Settings settings, HttpServer server) {
    // snippet
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    KueueMetrics metrics = KueueMetrics.builder(new MicrometerSink(registry)).build();
    AdmissionEngine engine = AdmissionEngine.builder()
        .settings(settings)
        .listener(metrics, failure -> failure.printStackTrace())
        .build();
    server.createContext("/metrics", new MetricsHandler(registry, () -> metrics.refresh(engine)));
    server.createContext(
        "/", new PageHandler("Batch jobs", () -> MonitorView.of(engine.view(), Instant.now())));
    metrics.attempt(engine::runCycle);
    // end
    return server;
  }

  /** {@return a queue whose quota is what nodes offer, less some head room} */
  public static ClusterQueue quotaOf(
      NodeTracker tracker, AdmissionEngine engine, ClusterQueue queue, ResourceFlavor... flavors) {
    // snippet
    NodeQuota quota = NodeQuota.builder()
        .addResources("cpu", "memory")
        .holdBack("memory", "2Gi")
        .putPercentHeldBack("cpu", 10)
        .build();
    ClusterQueue offered = quota.applyTo(queue, List.of(flavors), tracker.nodes());
    engine.apply(offered);
    // end
    return offered;
  }

  /** {@return what the harness finds in an engine} */
  public static HarnessResult harness(EngineUnderTest.Factory myController) {
    // snippet
    HarnessResult result = HarnessRun.of(myController)
        .against(ReferenceEngine::new)
        .steps(10_000)
        .seed(1)
        .run();
    result.failure().ifPresent(failure -> {
      throw new AssertionError(failure);
    });
    // end
    return result;
  }
}
