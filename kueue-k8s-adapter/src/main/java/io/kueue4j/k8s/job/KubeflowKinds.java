package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;

/**
 * The kinds of training jobs of {@code kubeflow.org}: replicas by type, one pod set per type, in an
 * order that is fixed for the kind. Rules: J-7, J-8.
 */
final class KubeflowKinds {
  private static final String REPLICA_INDEX = "training.kubeflow.org/replica-index";

  static final ImmutableList<JobKind<?>> ALL = ImmutableList.of(
      kind("TFJob", "tfReplicaSpecs", "Chief", "Master", "PS", "Worker", "Evaluator")
          .prebuiltWorkloads()
          .build(),
      kind("PyTorchJob", "pytorchReplicaSpecs", "Master", "Worker")
          .prebuiltWorkloads()
          .build(),
      kind("XGBoostJob", "xgbReplicaSpecs", "Master", "Worker")
          .prebuiltWorkloads()
          .build(),
      kind("PaddleJob", "paddleReplicaSpecs", "Master", "Worker")
          .prebuiltWorkloads()
          .build(),
      kind("JAXJob", "jaxReplicaSpecs", "Worker").build(),
      kind("MPIJob", "mpiReplicaSpecs", "Launcher", "Worker")
          .prebuiltWorkloads()
          .groupsPodSets()
          .build());

  private KubeflowKinds() {}

  private static DeclaredJobKind.Builder kind(String kind, String replicas, String... types) {
    return DeclaredJobKind.builder("kubeflow.org", kind)
        .suspend("spec.runPolicy.suspend")
        .replicas("spec." + replicas, REPLICA_INDEX, types)
        .succeeded(DeclaredJobKind.StatusCheck.condition("Succeeded"))
        .failed(DeclaredJobKind.StatusCheck.condition("Failed"))
        .active(DeclaredJobKind.StatusCheck.positive("status.replicaStatuses.*.active"))
        .ready(DeclaredJobKind.StatusCheck.condition("Running"))
        .priorityClass("spec.runPolicy.schedulingPolicy.priorityClass");
  }
}
