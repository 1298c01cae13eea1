package io.kueue4j.examples.controller.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.Supplier;

/** The leases of a namespace of a real cluster. */
public final class ClusterLeaseStore implements LeaseStore {
  private final KubernetesClient client;
  private final String namespace;

  /** Creates a store; does not access the cluster yet. */
  public ClusterLeaseStore(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  @Override
  public Optional<Lease> get(String name) {
    return call(
        "get lease " + name,
        () -> Optional.ofNullable(
            client.leases().inNamespace(namespace).withName(name).get()));
  }

  @Override
  public Lease create(Lease lease) {
    Lease named = new LeaseBuilder(lease)
        .editMetadata()
        .withNamespace(namespace)
        .endMetadata()
        .build();
    return call(
        "create lease " + name(lease),
        () -> client.leases().inNamespace(namespace).resource(named).create());
  }

  @Override
  public Lease replace(Lease lease) {
    return call(
        "update lease " + name(lease),
        () -> client.leases().inNamespace(namespace).resource(lease).update());
  }

  private static String name(Lease lease) {
    return lease.getMetadata().getName();
  }

  private <T> T call(String what, Supplier<T> request) {
    try {
      return request.get();
    } catch (KubernetesClientException e) {
      String message = what + " in " + namespace + ": " + e.getMessage();
      throw new KubernetesClientException(message, e, e.getCode(), e.getStatus(), null);
    }
  }
}
