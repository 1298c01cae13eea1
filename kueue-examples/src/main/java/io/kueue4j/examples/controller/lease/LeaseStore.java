package io.kueue4j.examples.controller.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/** The leases of one namespace. All methods throw {@link KubernetesClientException} on failure. */
public interface LeaseStore {
  /** {@return the current version of a lease, empty if there is none} */
  Optional<Lease> get(String name);

  /**
   * Creates a lease.
   *
   * @return the stored version
   */
  Lease create(Lease lease);

  /**
   * Replaces exactly the given version of a lease.
   *
   * @return the stored version
   */
  Lease replace(Lease lease);
}
