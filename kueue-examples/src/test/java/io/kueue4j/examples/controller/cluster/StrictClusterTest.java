package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.simulation.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StrictClusterTest extends ApiContract implements JobSetContract {
  private final StrictCluster cluster =
      StrictCluster.create(ServerVersion.KUBERNETES_1_35, VirtualClock.create());
  private final Api api = new InMemory(cluster);

  @Override
  public Api api() {
    return api;
  }

  /** The cluster by its methods. */
  record InMemory(StrictCluster cluster) implements Api {
    @Override
    public <T extends HasMetadata> T create(T object) {
      return cluster.create(StrictCluster.USER, object);
    }

    @Override
    public <T extends HasMetadata> T replace(T object) {
      return cluster.replace(StrictCluster.USER, object);
    }

    @Override
    public <T extends HasMetadata> T replaceStatus(T object) {
      return cluster.replaceStatus(StrictCluster.USER, object);
    }

    @Override
    public void mergePatch(HasMetadata object, String patch) {
      cluster.mergePatch(StrictCluster.USER, ObjectKey.of(object), patch);
    }

    @Override
    public void delete(HasMetadata object) {
      cluster.delete(StrictCluster.USER, ObjectKey.of(object));
    }

    @Override
    public Optional<? extends HasMetadata> get(HasMetadata object) {
      return cluster.get(ObjectKey.of(object), object.getClass());
    }

    @Override
    public Refusal refusal(Runnable write) {
      ApiRefusal refusal = Assertions.catchThrowableOfType(ApiRefusal.class, write::run);
      assertThat(refusal).as("the refusal").isNotNull();
      return new Refusal(refusal.code(), refusal.reason(), String.valueOf(refusal.getMessage()));
    }
  }

  @Test
  void everyWriteIsLoggedAndToldInOrder() {
    List<ApiWrite> reported = new ArrayList<>();
    cluster.watch(reported::add);
    int before = cluster.log().size();

    Job job = cluster.create("anna", job("a"));
    cluster.replace("bob", job);
    cluster.delete("carl", ObjectKey.of(job));

    assertThat(reported)
        .extracting(ApiWrite::actor)
        .as("a write that changes nothing is none")
        .containsExactly("anna", "carl");
    assertThat(cluster.log().subList(before, cluster.log().size())).isEqualTo(reported);
    assertThat(reported).extracting(ApiWrite::revision).isSorted();
  }

  @Test
  void whatIsHandedOutIsACopy() {
    Job job = cluster.create("anna", job("a"));
    job.getSpec().setSuspend(false);

    assertThat(api.reload(job).getSpec().getSuspend()).isTrue();
  }

  @Test
  void aNamespaceTakesAlongWhatIsInIt() {
    cluster.create(
        "anna",
        new NamespaceBuilder().withNewMetadata().withName("team").endMetadata().build());
    Job job = cluster.create(
        "anna",
        job("a").toBuilder().editMetadata().withNamespace("team").endMetadata().build());

    cluster.delete("anna", new ObjectKey("", "Namespace", "", "team"));

    assertThat(api.get(job)).isEmpty();
  }

  @Test
  void aPodIsResizedUntilItHasEnded() {
    Pod pod = cluster.create("anna", pod("a"));
    cluster.resize("anna", ObjectKey.of(pod), "2");
    assertThat(String.valueOf(cluster.tree(ObjectKey.of(pod)))).contains("\"cpu\":\"2\"");

    cluster.replaceStatus(
        "kubelet",
        api.reload(pod).toBuilder()
            .editStatus()
            .withPhase("Succeeded")
            .endStatus()
            .build());
    cluster.resize("anna", ObjectKey.of(pod), "3");
    assertThat(String.valueOf(cluster.tree(ObjectKey.of(pod)))).contains("\"cpu\":\"2\"");
  }

  @Test
  void podsOfAJobThatIsGoneGoWithTheGarbage() {
    Job job = cluster.create("anna", job("a"));
    Pod owned = cluster.create(
        "anna",
        pod("a-1").toBuilder()
            .editMetadata()
            .withOwnerReferences(new OwnerReferenceBuilder()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName("a")
                .withUid(job.getMetadata().getUid())
                .build())
            .endMetadata()
            .build());
    Pod free = cluster.create("anna", pod("b"));
    assertThat(cluster.collectGarbage()).isFalse();

    cluster.delete("anna", ObjectKey.of(job));

    assertThat(api.get(owned)).as("in the background").isPresent();
    assertThat(cluster.collectGarbage()).isTrue();
    assertThat(api.get(owned)).isEmpty();
    assertThat(api.get(free)).isPresent();
  }

  /** Differences in Kubernetes 1.36. */
  @Nested
  class Newer {
    private final StrictCluster newer =
        StrictCluster.create(ServerVersion.KUBERNETES_1_36, VirtualClock.create());

    private Job stopped(boolean condition, int active) {
      Job job = newer.create("anna", job("a"));
      Job running = newer.replace(
          "anna", job.toBuilder().editSpec().withSuspend(false).endSpec().build());
      Job stopped = newer.replace(
          "anna", running.toBuilder().editSpec().withSuspend(true).endSpec().build());
      return newer.replaceStatus(
          "anna",
          stopped.toBuilder()
              .withNewStatus()
              .withStartTime("2026-01-01T00:00:00Z")
              .withActive(active)
              .addNewCondition()
              .withType("Suspended")
              .withStatus(condition ? "True" : "False")
              .endCondition()
              .endStatus()
              .build());
    }

    private Job changed(Job job) {
      return job.toBuilder()
          .editSpec()
          .editTemplate()
          .editSpec()
          .withNodeSelector(Map.of("pool", "x"))
          .endSpec()
          .endTemplate()
          .endSpec()
          .build();
    }

    @Test
    void aStoppedJobTakesSelectorsAlthoughItHadStarted() {
      Job job = changed(stopped(true, 0));

      assertThat(newer.replace("anna", job).getSpec()).isEqualTo(job.getSpec());
    }

    @Test
    void butNotWhileItsPodsRun() {
      Job active = changed(stopped(true, 1));

      assertThat(
              new InMemory(newer).refusal(() -> newer.replace("anna", active)).code())
          .isEqualTo(422);
    }

    @Test
    void norBeforeTheJobControllerHasSeenIt() {
      Job unseen = changed(stopped(false, 0));

      assertThat(
              new InMemory(newer).refusal(() -> newer.replace("anna", unseen)).code())
          .isEqualTo(422);
    }
  }
}
