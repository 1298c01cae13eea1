package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.k8s.job.JobKinds;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what decides on admission in a cluster, once; it writes nothing and reads no Secrets. */
public final class LiveCluster {
  private static final String CONFIGURATION = "kueue-manager-config";
  private static final ImmutableSet<String> DEVICES =
      ImmutableSet.of("DeviceClass", "ResourceClaimTemplate", "ResourceSlice");
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final long PAGE = 500;

  private LiveCluster() {}

  /**
   * The objects of a cluster.
   *
   * @param objects the objects, one kind after the other, each as it was when it was listed
   * @param refused what the cluster does not let the user read, such as {@code list nodes}
   */
  public record Listing(ImmutableList<HasMetadata> objects, ImmutableList<String> refused) {}

  /**
   * {@return the objects of all served kinds that decide on admission}
   *
   * @param client the cluster
   * @param kinds the kinds of jobs
   * @param kueueNamespace the namespace of Kueue's manager
   * @throws KubernetesClientException if the cluster cannot be reached, or fails
   */
  public static Listing list(KubernetesClient client, JobKinds kinds, String kueueNamespace) {
    ImmutableList<WatchedKind> served = ImmutableList.<WatchedKind>builder()
        .addAll(ServedKinds.of(client, kinds, true))
        .addAll(deviceKinds(client))
        .build();
    return list(client, served, kueueNamespace);
  }

  /** {@return the kinds that the cluster serves and that say which devices pods claim} */
  public static ImmutableList<WatchedKind> deviceKinds(KubernetesClient client) {
    return ServedKinds.find(
        client,
        "resource.k8s.io",
        kind -> DEVICES.contains(kind)
            ? Optional.of(GenericKubernetesResource.class)
            : Optional.empty());
  }

  public static Listing list(
      KubernetesClient client, ImmutableList<WatchedKind> kinds, String kueueNamespace) {
    ImmutableList.Builder<HasMetadata> objects = ImmutableList.builder();
    ImmutableList.Builder<String> refused = ImmutableList.builder();
    attempt("get configmaps " + CONFIGURATION + " in " + kueueNamespace, refused, () -> {
      HasMetadata found = client
          .configMaps()
          .inNamespace(kueueNamespace)
          .withName(CONFIGURATION)
          .get();
      if (found != null) {
        objects.add(found);
      }
    });
    for (WatchedKind kind : kinds) {
      String plural = kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
      attempt("list " + plural, refused, () -> list(client, kind, objects::add));
    }
    return new Listing(objects.build(), refused.build());
  }

  private static void attempt(
      String what, ImmutableList.Builder<String> refused, Runnable request) {
    try {
      request.run();
    } catch (KubernetesClientException e) {
      if (e.getCode() == FORBIDDEN || e.getCode() == UNAUTHORIZED) {
        refused.add(what);
      } else if (e.getCode() != NOT_FOUND) {
        throw e;
      }
    }
  }

  private static void list(
      KubernetesClient client, WatchedKind kind, Consumer<? super HasMetadata> receiver) {
    @Nullable String next = null;
    do {
      KubernetesResourceList<HasMetadata> page = kind.requests(client)
          .inAnyNamespace()
          .list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
      for (HasMetadata item : page.getItems()) {
        receiver.accept(kind.read(item));
      }
      next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
  }
}
