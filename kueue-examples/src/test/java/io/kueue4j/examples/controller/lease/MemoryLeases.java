package io.kueue4j.examples.controller.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Leases in memory, with the conflicts of an API server. */
public final class MemoryLeases {
  private final Map<String, Lease> leases = new TreeMap<>();
  private long version;

  /** {@return the leases as seen through a connection that fails while {@code isCut} is set} */
  public LeaseStore through(AtomicBoolean isCut) {
    return new Connection(isCut);
  }

  /** {@return the stored lease, empty if there is none} */
  public Optional<Lease> get(String name) {
    return Optional.ofNullable(leases.get(name));
  }

  /** Removes a lease, like an administrator. */
  public void remove(String name) {
    leases.remove(name);
  }

  private static KubernetesClientException failed(int code) {
    return new KubernetesClientException("HTTP " + code, code, null);
  }

  private final class Connection implements LeaseStore {
    private final AtomicBoolean isCut;

    Connection(AtomicBoolean isCut) {
      this.isCut = isCut;
    }

    private <T> T call(Supplier<T> request) {
      if (isCut.get()) {
        throw failed(HttpURLConnection.HTTP_UNAVAILABLE);
      }
      return request.get();
    }

    private Lease put(Lease lease) {
      Lease stored = new LeaseBuilder(lease)
          .editMetadata()
          .withResourceVersion(Long.toString(++version))
          .endMetadata()
          .build();
      leases.put(lease.getMetadata().getName(), stored);
      return stored;
    }

    private void check(Lease given) {
      Lease stored = leases.get(given.getMetadata().getName());
      if (stored == null
          || !stored
              .getMetadata()
              .getResourceVersion()
              .equals(given.getMetadata().getResourceVersion())) {
        throw failed(HttpURLConnection.HTTP_CONFLICT);
      }
    }

    @Override
    public Optional<Lease> get(String name) {
      return call(() -> Optional.ofNullable(leases.get(name)));
    }

    @Override
    public Lease create(Lease lease) {
      return call(() -> {
        if (leases.containsKey(lease.getMetadata().getName())) {
          throw failed(HttpURLConnection.HTTP_CONFLICT);
        }
        return put(lease);
      });
    }

    @Override
    public Lease replace(Lease lease) {
      return call(() -> {
        check(lease);
        return put(lease);
      });
    }
  }
}
