package io.kueue4j.examples.controller.seal;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Secret of a real cluster. Requires only the permissions to get, create and update it. */
public final class ClusterSecretStore implements SecretStore {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private final KubernetesClient client;
  private final String namespace;
  private final String name;

  /** Creates a store; does not access the cluster yet. */
  public ClusterSecretStore(KubernetesClient client, String namespace, String name) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
  }

  @Override
  public Optional<Secret> get() {
    return call("read", () -> Optional.<Secret>ofNullable(found()));
  }

  private @Nullable Secret found() {
    return client.secrets().inNamespace(namespace).withName(name).get();
  }

  @Override
  public Secret create(Secret secret) {
    Secret named = new SecretBuilder(secret)
        .editOrNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .build();
    return call(
        "created", () -> client.secrets().inNamespace(namespace).resource(named).create());
  }

  @Override
  public Secret replace(Secret secret) {
    return call(
        "updated",
        () -> client.secrets().inNamespace(namespace).resource(secret).update());
  }

  private <T> T call(String what, Supplier<T> request) {
    try {
      return request.get();
    } catch (KubernetesClientException e) {
      SecretException.Reason reason = switch (e.getCode()) {
        case FORBIDDEN -> SecretException.Reason.FORBIDDEN;
        // For a write: the Secret was deleted since it was read.
        case CONFLICT, NOT_FOUND -> SecretException.Reason.CONFLICT;
        default -> SecretException.Reason.UNAVAILABLE;
      };
      throw new SecretException(
          reason, "Secret " + this + " cannot be " + what + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
