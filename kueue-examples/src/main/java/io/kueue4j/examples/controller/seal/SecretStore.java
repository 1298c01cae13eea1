package io.kueue4j.examples.controller.seal;

import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;

/** One Secret of a cluster. */
public interface SecretStore {
  /**
   * {@return the Secret, empty if it does not exist}
   *
   * @throws SecretException if it cannot be read
   */
  Optional<Secret> get();

  /**
   * Creates the Secret with the name and namespace of the store.
   *
   * @throws SecretException if it was not created, or if the outcome is unknown
   */
  Secret create(Secret secret);

  /**
   * Replaces the given version of the Secret.
   *
   * @throws SecretException if it was not replaced, or if the outcome is unknown
   */
  Secret replace(Secret secret);

  /** {@return the namespace and name, for messages} */
  @Override
  String toString();
}
