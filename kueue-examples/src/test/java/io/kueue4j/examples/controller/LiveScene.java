package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.cli.LiveCluster;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.manifest.Manifest;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** An API server of its own with Kueue's kinds, and what tests do with it. */
final class LiveScene implements AutoCloseable {
  static final ImmutableList<WatchedKind> KINDS = ImmutableList.<WatchedKind>builder()
      .addAll(RunningController.KINDS)
      .add(
          new WatchedKind("apps", "v1", "StatefulSet", "statefulsets", true, StatefulSet.class),
          queueKind("Topology", "topologies", false),
          queueKind("ResourceFlavor", "resourceflavors", false),
          queueKind("AdmissionCheck", "admissionchecks", false),
          queueKind("ClusterQueue", "clusterqueues", false),
          queueKind("LocalQueue", "localqueues", true),
          queueKind("WorkloadPriorityClass", "workloadpriorityclasses", false))
      .build();

  private final ApiServer server;
  private final KubernetesClient client;

  private LiveScene(ApiServer server) {
    this.server = server;
    this.client = server.client();
  }

  /** Starts the server; the caller closes the scene. */
  static LiveScene start() throws IOException {
    LiveScene scene = new LiveScene(ApiServer.ofItsOwn());
    KINDS.stream().filter(kind -> kind.group().contains("kueue")).forEach(scene.server::serve);
    return scene;
  }

  private static WatchedKind queueKind(String kind, String plural, boolean namespaced) {
    return new WatchedKind(
        "kueue.x-k8s.io", "v1beta2", kind, plural, namespaced, GenericKubernetesResource.class);
  }

  ApiServer server() {
    return server;
  }

  KubernetesClient client() {
    return client;
  }

  /** Creates objects with their status. */
  void create(String yaml) {
    for (Manifest manifest :
        ManifestReader.create().read(ManifestSource.of("x", yaml)).items()) {
      GenericKubernetesResource object = manifest.as(GenericKubernetesResource.class);
      GenericKubernetesResource stored = resource(object).create();
      Object status = object.getAdditionalProperties().get("status");
      if (status != null) {
        stored.setAdditionalProperty("status", status);
        GenericKubernetesResource unused = resource(stored).updateStatus();
      }
    }
  }

  private Resource<GenericKubernetesResource> resource(GenericKubernetesResource object) {
    ObjectKey key = ObjectKey.of(object);
    WatchedKind kind =
        KINDS.stream().filter(known -> known.isOf(key)).findFirst().orElseThrow();
    return kind.namespaced()
        ? client
            .genericKubernetesResources(kind.context())
            .inNamespace("default")
            .resource(object)
        : client.genericKubernetesResources(kind.context()).resource(object);
  }

  /** Changes the status of an object, which another may write at the same time. */
  <T extends HasMetadata> void setStatus(Resource<T> object, UnaryOperator<T> change) {
    Await.until("status of " + object, () -> {
      try {
        T unused = client.resource(change.apply(object.get())).updateStatus();
        return true;
      } catch (KubernetesClientException e) {
        assertThat(e.getCode()).isEqualTo(409);
        return false;
      }
    });
  }

  /** What happens while a controller runs. */
  interface Play {
    /** Plays with a running controller. */
    void run(Running controller);
  }

  /** A controller that runs. */
  static final class Running {
    private final Controller controller;

    Running(Controller controller) {
      this.controller = controller;
    }

    /** Waits until a job has a state. */
    void awaitState(String job, JobState state) {
      try {
        Await.until(
            job + " becomes " + state,
            () -> jobs().stream()
                .anyMatch(known -> known.name().equals(job) && known.state() == state));
      } catch (AssertionError e) {
        throw new AssertionError(job + " does not become " + state + ": " + jobs(), e);
      }
    }

    private ImmutableList<JobView> jobs() {
      return controller.view().map(ControllerView::jobs).orElse(ImmutableList.of());
    }
  }

  /** {@return the last view of a controller that ran meanwhile} */
  ControllerView play(Play play) throws Exception {
    try (RunningController running = RunningController.start(
        server.client(),
        builder -> builder
            .options(ControllerOptions.defaults())
            .kinds(KINDS)
            .lease(new LeaseName("default", "kueue4j", "one"))
            .port(0))) {
      play.run(new Running(running.controller()));
      return running.controller().view().orElseThrow();
    }
  }

  /** {@return what is read of the cluster} */
  Manifests read() {
    LiveCluster.Listing listing = server.hasUsers()
        ? LiveCluster.list(client, JobKinds.all(), "kueue-system")
        : LiveCluster.list(client, KINDS, "kueue-system");
    assertThat(listing.refused()).isEmpty();
    return ManifestFiles.read(listing.objects(), ImmutableList.of()).manifests();
  }

  /** {@return what is made of a state} */
  static Phase admit(Manifests manifests) {
    ManifestPlayer simulation = ManifestPlayer.of(manifests, Settings.defaults(), false);
    simulation.jobs().forEach(simulation::create);
    return simulation.phase("all");
  }

  /** {@return the states of jobs by name; Reserved for those that wait for admission checks} */
  static Map<String, String> states(Phase phase) {
    Map<String, String> states = new TreeMap<>();
    for (JobReport job : phase.jobs()) {
      boolean reserved =
          job.status().toString().equals("Admitted") && !job.reasons().isEmpty();
      states.put(job.job().name(), reserved ? "Reserved" : job.status().toString());
    }
    return states;
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
  }
}
