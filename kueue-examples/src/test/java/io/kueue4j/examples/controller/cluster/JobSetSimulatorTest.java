package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.examples.simulation.VirtualClock;
import java.util.function.BooleanSupplier;

/** The simulator does what the JobSet controller does. */
class JobSetSimulatorTest implements JobSetJobsContract {
  private static final int STEPS = 5;

  private final StrictCluster cluster =
      StrictCluster.create(ServerVersion.KUBERNETES_1_35, VirtualClock.create());
  private final JobSetSimulator simulator = new JobSetSimulator(cluster);

  @Override
  public Api api() {
    return new StrictClusterTest.InMemory(cluster);
  }

  @Override
  public void await(GenericKubernetesResource jobSet, BooleanSupplier condition) {
    for (int i = 0; i < STEPS && !condition.getAsBoolean(); i++) {
      simulator.sync(ObjectKey.of(jobSet));
    }
    assertThat(condition.getAsBoolean()).as(() -> cluster.list().toString()).isTrue();
  }
}
