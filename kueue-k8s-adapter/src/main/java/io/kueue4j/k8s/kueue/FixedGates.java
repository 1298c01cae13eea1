package io.kueue4j.k8s.kueue;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.k8s.internal.yaml.Suggestion;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Kueue's feature gates, up to Kueue 0.20, that cannot be set here ({@link FeatureGate} can). */
final class FixedGates {
  /** No decision depends on these. */
  private static final ImmutableSet<String> WITHOUT_EFFECT = names("""
      AssignQueueLabelsForPods CleanupProvisioningRequestsOnEviction CustomMetricLabels
      DeferRayServiceFinalizationForRedisCleanup DeploymentJobUIDLabel
      EnforceProvisioningPodTemplateContents FailureRecoveryPolicy FinalizeTerminatingPodGroups
      HighMaxParallelismWithinReconcile LWSImmutableGroupSize LocalQueueMetrics
      ManagedJobsNamespaceSelectorAlwaysRespected MetricForWorkloadCreationLatency
      MetricsForCohorts MultiKueue MultiKueueAdaptersForCustomJobs
      MultiKueueBatchJobClearingTTLSecondsAfterFinishedOnWorkerCluster MultiKueueClusterProfile
      MultiKueueIncrementalDispatcherConfig MultiKueueIncrementalDispatcherRespectConfigOrder
      MultiKueueKubeConfigPathValidation MultiKueueRayInTreeAutoscaling MultiKueueRemoteSpecSync
      MultiKueueReuseClientConnectionConfigForWorkers PodIntegrationValidateGroupOwner
      RayServiceValidateUpgradeStrategy RemoveFinalizersWithStrictPatch ShortWorkloadNames
      SkipAncestorCheckForDeletedWorkloads SparkApplicationIntegration
      TASAssignmentsEncodingByHostnamePrefix TASCacheNodeMatchResults TASCacheTopologyTree
      TASCachingRemainingResources TLSOptions UnadmittedWorkloadsExplicitStatus
      UnadmittedWorkloadsObservability ValidateRayAndSparkJobUpdates VectorizedResourceRequests
      VisibilityOnDemand WorkloadRequestUseMergePatch WorkloadValidationForPodSetMetadata
      """);

  private static final ImmutableSet<String> ALWAYS_ON = names("""
      FinishOrphanedWorkloads KueueDRAIntegration KueueDRAIntegrationExtendedResource
      KueueDRAIntegrationPartitionableDevices KueueDRARejectWorkloadsWhenDRADisabled
      QuotaCheckStrategy RejectUpdatesToCQWithInvalidOnFlavors TASMultiLayerTopology
      TASReplaceNodeOnNodeTaints TASReplaceNodeOnPodTermination TASValidateWorkloadSliceSize
      WorkloadIdentifierAnnotations WorkloadPriorityClassDefaulting
      WorkloadValidateResourcesAreNonNegative
      """);

  private static final ImmutableSet<String> ALWAYS_OFF = names("""
      ConfigurablePreemptions DynamicQuotaOrchestration
      ElasticJobsViaWorkloadSlicesFlavorChangeFromZero
      ElasticJobsViaWorkloadSlicesForProvisioningRequests
      ElasticJobsViaWorkloadSlicesWithPartialReplicaScaleUp
      FairSharingReevaluatePreemptionCandidates FairSharingRefill
      FastQuotaReleaseInPodIntegration KueueDRADeviceFeasibility
      KueueDRAIntegrationConsumableCapacity KueueDRAIntegrationDeviceTaints
      KueueDRAIntegrationPrioritizedList MultiKueueManagerQuotaAutomation
      SchedulerLibraryIntegration SkipChildJobSuspension TASRejectFalseUnconstrainedTopology
      TASReplaceMultipleFailedNodes TASReplaceNodeDueToNotReadyOverFixedTime TASTopologySpreading
      WaitForPodsReadyMaxNotReady WaitForPodsReadyUnscheduledTimeout WorkloadLevelWaitForPodsReady
      """);

  private FixedGates() {}

  /** {@return why a gate is not taken into account, empty if it need not be} */
  static Optional<String> objection(String name, boolean on) {
    if (WITHOUT_EFFECT.contains(name) || (on ? ALWAYS_ON : ALWAYS_OFF).contains(name)) {
      return Optional.empty();
    }
    return Optional.of(
        (on ? ALWAYS_OFF : ALWAYS_ON).contains(name)
            ? "not taken into account: jobs are decided as with " + !on
            : "unknown feature gate" + Suggestion.question(name, known()));
  }

  private static Stream<String> known() {
    return Stream.of(
            Arrays.stream(FeatureGate.values()).map(FeatureGate::toString),
            WITHOUT_EFFECT.stream(),
            ALWAYS_ON.stream(),
            ALWAYS_OFF.stream())
        .flatMap(names -> names);
  }

  private static ImmutableSet<String> names(String text) {
    return ImmutableSet.copyOf(
        Splitter.on(CharMatcher.whitespace()).omitEmptyStrings().split(text));
  }
}
