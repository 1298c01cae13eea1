package sample;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Runs the pod of each Render while Kueue admits its Workload.
 *
 * <p>A Render, its Workload and its pod have the same name, so that an event of any of the three
 * says which Render to look at.
 */
public final class RenderOperator {
  private final KubernetesClient client;
  private final Workloads workloads;
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final List<SharedIndexInformer<?>> informers;

  private RenderOperator(KubernetesClient client, InstantSource clock) {
    this.client = client;
    workloads = new Workloads(client, clock);
    informers = List.of(
        client.resources(Render.class).inAnyNamespace().inform(new Trigger<>()),
        client.genericKubernetesResources(Workloads.KIND).inAnyNamespace().inform(new Trigger<>()),
        client.pods().inAnyNamespace().inform(new Trigger<>()));
  }

  /** {@return a running operator} */
  public static RenderOperator start(KubernetesClient client, InstantSource clock) {
    return new RenderOperator(client, clock);
  }

  private final class Trigger<T extends HasMetadata> implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      reconcileLater(object);
    }

    @Override
    public void onUpdate(T before, T object) {
      reconcileLater(object);
    }

    @Override
    public void onDelete(T object, boolean isUnknown) {
      reconcileLater(object);
    }
  }

  private void reconcileLater(HasMetadata object) {
    String namespace = object.getMetadata().getNamespace();
    String name = object.getMetadata().getName();
    if (worker.isShutdown()) {
      return;
    }
    worker.execute(() -> {
      Render render =
          client.resources(Render.class).inNamespace(namespace).withName(name).get();
      if (render != null) {
        reconcile(render);
      }
    });
  }

  private void reconcile(Render render) {
    GenericKubernetesResource workload = workloads.of(render).get();
    PodResource resource = client
        .pods()
        .inNamespace(render.getMetadata().getNamespace())
        .withName(render.getMetadata().getName());
    Pod pod = resource.get();
    if (workload == null) {
      workloads.create(render);
    } else if (Workloads.isTrue(workload, "Finished")) {
      report(render, "Done");
    } else if (pod != null && "Succeeded".equals(pod.getStatus().getPhase())) {
      workloads.finish(render);
    } else if (Workloads.isTrue(workload, "Evicted")) {
      stop(render, workload, resource);
    } else if (Workloads.isTrue(workload, "Admitted")) {
      if (pod == null) {
        client.resource(newPod(render)).create();
      }
      report(render, "Running");
    } else {
      report(render, "Waiting");
    }
  }

  /** The quota is free for others only when the pod is gone. */
  private void stop(Render render, GenericKubernetesResource workload, Resource<Pod> pod) {
    if (pod.get() != null) {
      pod.delete();
    } else if (Workloads.isTrue(workload, "QuotaReserved")) {
      workloads.resetAdmission(render);
    }
    report(render, "Waiting");
  }

  private static Pod newPod(Render render) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(render.getMetadata().getNamespace())
        .withName(render.getMetadata().getName())
        .endMetadata()
        .withNewSpec()
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("main")
        .withImage("render")
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity(String.valueOf(render.getSpec().cpus()))))
        .endResources()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .endStatus()
        .build();
  }

  private void report(Render render, String phase) {
    if (render.getStatus() == null || !phase.equals(render.getStatus().phase())) {
      render.setStatus(new Render.Status(phase));
      client.resource(render).updateStatus();
    }
  }

  /** Waits for the present step, so that nothing is written afterwards. */
  public void stop() throws InterruptedException {
    informers.forEach(SharedIndexInformer::stop);
    worker.shutdown();
    if (!worker.awaitTermination(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the operator has not stopped within 10 seconds");
    }
  }
}
