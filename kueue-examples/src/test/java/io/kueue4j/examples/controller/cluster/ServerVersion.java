package io.kueue4j.examples.controller.cluster;

/** Releases of Kubernetes that treat suspended Jobs differently. */
public enum ServerVersion {
  /**
   * Up to 1.35: the scheduling directives of a Job's template may change only while the stored Job
   * is suspended and has no {@code status.startTime}, which somebody has to take away after a stop
   * (KEP-2926).
   */
  KUBERNETES_1_35,

  /**
   * From 1.36: also while it is suspended, has the condition {@code Suspended} and no active pods;
   * then the resources of its containers may change, too, and the Job controller takes the start
   * time away by itself (KEP-5440).
   */
  KUBERNETES_1_36
}
