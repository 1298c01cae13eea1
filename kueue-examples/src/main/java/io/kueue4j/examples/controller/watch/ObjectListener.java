package io.kueue4j.examples.controller.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/** Receives the changes of objects; called by one thread at a time for each kind. */
interface ObjectListener {
  /** An object was created or changed. */
  void changed(GenericKubernetesResource object);

  /** An object was deleted; only its name, uid and last known version may be set. */
  void deleted(GenericKubernetesResource object);
}
