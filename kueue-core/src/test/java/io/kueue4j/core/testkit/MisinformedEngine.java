package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.function.UnaryOperator;

/** A correct engine that receives changed calls, as if it misread them. */
final class MisinformedEngine extends ForwardingEngine {
  private final UnaryOperator<ConfigObject> configuration;
  private final UnaryOperator<Workload> workloads;

  private MisinformedEngine(
      EngineUnderTest right,
      UnaryOperator<ConfigObject> configuration,
      UnaryOperator<Workload> workloads) {
    super(right);
    this.configuration = configuration;
    this.workloads = workloads;
  }

  static EngineUnderTest.Factory ofConfiguration(UnaryOperator<ConfigObject> change) {
    return (settings, clock) -> new MisinformedEngine(
        AdmissionEngineUnderTest.create(settings, clock), change, workload -> workload);
  }

  static EngineUnderTest.Factory ofQueues(UnaryOperator<ClusterQueue> change) {
    return ofConfiguration(
        object -> object instanceof ClusterQueue queue ? change.apply(queue) : object);
  }

  static EngineUnderTest.Factory ofWorkloads(UnaryOperator<Workload> change) {
    return (settings, clock) -> new MisinformedEngine(
        AdmissionEngineUnderTest.create(settings, clock), object -> object, change);
  }

  /** Of queues and cohorts alike. */
  static EngineUnderTest.Factory ofQuotas(UnaryOperator<ResourceQuota> change) {
    return ofConfiguration(object -> {
      if (object instanceof ClusterQueue queue) {
        return withGroups(
            queue,
            queue.resourceGroups().stream()
                .map(group -> withQuotas(group, change))
                .collect(toImmutableList()));
      }
      if (object instanceof Cohort cohort) {
        return Cohort.builder()
            .name(cohort.name())
            .parent(cohort.parent())
            .addAllResourceGroups(cohort.resourceGroups().stream()
                .map(group -> withQuotas(group, change))
                .collect(toImmutableList()))
            .fairSharingWeight(cohort.fairSharingWeight())
            .build();
      }
      return object;
    });
  }

  static ClusterQueue withGroups(ClusterQueue queue, ImmutableList<ResourceGroup> groups) {
    return ClusterQueue.builder()
        .name(queue.name())
        .cohort(queue.cohort())
        .addAllResourceGroups(groups)
        .queueingStrategy(queue.queueingStrategy())
        .namespaceSelector(queue.namespaceSelector())
        .flavorFungibility(queue.flavorFungibility())
        .preemption(queue.preemption())
        .stopPolicy(queue.stopPolicy())
        .fairSharingWeight(queue.fairSharingWeight())
        .build();
  }

  private static ResourceGroup withQuotas(
      ResourceGroup group, UnaryOperator<ResourceQuota> change) {
    return new ResourceGroup(
        group.coveredResources(),
        group.flavors().stream()
            .map(flavor -> new FlavorQuotas(
                flavor.flavor(),
                flavor.resources().stream().map(change).collect(toImmutableList())))
            .collect(toImmutableList()));
  }

  @Override
  public void apply(List<ConfigObject> objects) {
    super.apply(objects.stream().map(configuration).collect(toImmutableList()));
  }

  @Override
  public boolean submit(Workload workload) {
    return super.submit(workloads.apply(workload));
  }

  @Override
  public boolean update(Workload workload) {
    return super.update(workloads.apply(workload));
  }

  @Override
  public WorkloadDecision tryAdmit(Workload workload, boolean evictVictims) {
    return super.tryAdmit(workloads.apply(workload), evictVictims);
  }

  @Override
  public void restore(Workload workload, Admission admission) {
    super.restore(workloads.apply(workload), admission);
  }
}
