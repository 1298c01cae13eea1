package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** The operations of tests of rules on an API server, in memory or through a client. */
interface Api {
  <T extends HasMetadata> T create(T object);

  <T extends HasMetadata> T replace(T object);

  <T extends HasMetadata> T replaceStatus(T object);

  void mergePatch(HasMetadata object, String patch);

  void delete(HasMetadata object);

  Optional<? extends HasMetadata> get(HasMetadata object);

  /** {@return the stored object, of the class of the given one} */
  @SuppressWarnings("unchecked")
  default <T extends HasMetadata> T reload(T object) {
    return (T) get(object).orElseThrow();
  }

  /** {@return code, reason and message of the rejection of a write; fails if it succeeds} */
  Refusal refusal(Runnable write);

  /** A rejection in a client. */
  record Refusal(int code, String reason, String message) {}

  /** {@return whether the kind of the object has no class} */
  static boolean isCustom(HasMetadata object) {
    return object instanceof GenericKubernetesResource;
  }
}
