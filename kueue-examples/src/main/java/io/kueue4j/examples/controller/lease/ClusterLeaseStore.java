package io.kueue4j.examples.controller.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/**
 * The leases of a namespace of a real cluster.
 *
 * @param client the cluster
 * @param namespace the namespace
 */
public record ClusterLeaseStore(KubernetesClient client, String namespace) implements LeaseStore {
  @Override
  public Optional<Lease> get(String name) {
    return Optional.ofNullable(
        client.leases().inNamespace(namespace).withName(name).get());
  }

  @Override
  public Lease create(Lease lease) {
    return client.leases().inNamespace(namespace).resource(lease).create();
  }

  @Override
  public Lease replace(Lease lease) {
    return client.leases().inNamespace(namespace).resource(lease).update();
  }
}
