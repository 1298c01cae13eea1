package sample;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.util.List;

/** Runs the controller on the cluster of the kubeconfig, or on the one in which it is a pod. */
public final class Main {
  /** The kinds of configuration, in the order of their references. */
  static final List<CustomResourceDefinitionContext> CONFIGURATION = List.of(
      kueue("WorkloadPriorityClass", "workloadpriorityclasses", false),
      kueue("ResourceFlavor", "resourceflavors", false),
      kueue("ClusterQueue", "clusterqueues", false),
      kueue("LocalQueue", "localqueues", true));

  private Main() {}

  public static void main(String[] arguments) {
    start(new KubernetesClientBuilder().build()).installShutdownHook(Duration.ofSeconds(10));
  }

  /** Starts the controller with a client, which it closes when it stops. */
  static Operator start(KubernetesClient client) {
    JobAdmission admission = new JobAdmission();
    for (CustomResourceDefinitionContext kind : CONFIGURATION) {
      var objects = client.genericKubernetesResources(kind).inAnyNamespace();
      // The informer delivers the same objects later, in another thread.
      admission.configure(objects.list().getItems());
      objects.inform(new Configure(admission));
    }
    Operator operator = new Operator(settings -> settings.withKubernetesClient(client));
    operator.register(new JobReconciler(admission));
    operator.start();
    return operator;
  }

  private static CustomResourceDefinitionContext kueue(
      String kind, String plural, boolean isNamespaced) {
    return new CustomResourceDefinitionContext.Builder()
        .withGroup("kueue.x-k8s.io")
        .withVersion("v1beta2")
        .withKind(kind)
        .withPlural(plural)
        .withName(plural + ".kueue.x-k8s.io")
        .withScope(isNamespaced ? "Namespaced" : "Cluster")
        .build();
  }

  private record Configure(JobAdmission admission)
      implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource object) {
      admission.configure(List.of(object));
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
      admission.configure(List.of(object));
    }

    @Override
    public void onDelete(GenericKubernetesResource object, boolean finalStateUnknown) {
      admission.remove(object);
    }
  }
}
