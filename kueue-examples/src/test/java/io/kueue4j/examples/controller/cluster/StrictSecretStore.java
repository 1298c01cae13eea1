package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.kueue4j.examples.controller.seal.SecretException;
import io.kueue4j.examples.controller.seal.SecretStore;
import java.util.Optional;
import java.util.function.Supplier;

/** The Secret of the seals in a {@link StrictCluster}, without faults. */
public final class StrictSecretStore implements SecretStore {
  /** The name of the Secret. */
  public static final ObjectKey KEY = new ObjectKey("", "Secret", "default", "seals");

  private final StrictCluster cluster;
  private final String actor;

  /** Creates a store for one controller. */
  public StrictSecretStore(StrictCluster cluster, String actor) {
    this.cluster = cluster;
    this.actor = actor;
  }

  @Override
  public Optional<Secret> get() {
    return cluster.get(KEY, Secret.class);
  }

  @Override
  public Secret create(Secret secret) {
    return write(() -> cluster.create(
        actor,
        new SecretBuilder(secret)
            .editOrNewMetadata()
            .withNamespace(KEY.namespace())
            .withName(KEY.name())
            .endMetadata()
            .build()));
  }

  @Override
  public Secret replace(Secret secret) {
    return write(() -> cluster.replace(actor, secret));
  }

  private static Secret write(Supplier<Secret> write) {
    try {
      return write.get();
    } catch (ApiRefusal refusal) {
      throw new SecretException(
          SecretException.Reason.CONFLICT, String.valueOf(refusal.getMessage()), refusal);
    }
  }

  @Override
  public String toString() {
    return KEY.namespace() + "/" + KEY.name();
  }
}
