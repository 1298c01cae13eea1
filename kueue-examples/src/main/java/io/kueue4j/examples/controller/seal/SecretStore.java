package io.kueue4j.examples.controller.seal;

import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;

/** One Secret of a cluster. */
public interface SecretStore {
  /**
   * {@return the Secret, absent if it does not exist}
   *
   * @throws SecretException if it cannot be read
   */
  Optional<Secret> get();

  /**
   * Creates the Secret; its name and namespace are the store's.
   *
   * @throws SecretException if it was not created, or if the outcome is unknown
   */
  Secret create(Secret secret);

  /**
   * Replaces the Secret in the version given.
   *
   * @throws SecretException if it was not replaced, or if the outcome is unknown
   */
  Secret replace(Secret secret);

  /** {@return the namespace and name, for messages} */
  @Override
  String toString();
}
