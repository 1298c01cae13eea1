package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.k8s.metrics.CustomLabel.Source;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CustomLabelTest extends MeteredEngine {
  private final Map<String, ObjectMeta> objects = new HashMap<>();

  private void setUp(CustomLabel... labels) {
    metrics = KueueMetrics.builder(sink)
        .customLabels(
            ImmutableList.copyOf(labels),
            (source, namespace, name) ->
                Optional.ofNullable(objects.get(source + "/" + namespace + "/" + name)))
        .build();
    engine = engine();
  }

  private void label(String object, String key, String value) {
    objects.put(
        object, new ObjectMetaBuilder().withLabels(ImmutableMap.of(key, value)).build());
  }

  @Test
  void seriesTellTheLabelsOfTheirOwnObjects() {
    setUp(
        CustomLabel.ofLabel("team", Source.CLUSTER_QUEUE, "example.com/team"),
        CustomLabel.ofLabel("tier", Source.LOCAL_QUEUE, "tier"),
        CustomLabel.ofAnnotation("cost", Source.COHORT, "cost-centre"));
    label("CLUSTER_QUEUE//q", "example.com/team", "physics");
    label("LOCAL_QUEUE/ns/lq-q", "tier", "gold");
    objects.put(
        "COHORT//c",
        new ObjectMetaBuilder()
            .withAnnotations(ImmutableMap.of("cost-centre", "42"))
            .build());
    queue("q", 10, queue -> queue.cohort("c"));
    AdmissionResult unused = engine.tryAdmit(job("a", "q", 1)).result();
    metrics.refresh(engine);
    assertThat(sink.seriesWith("kueue_admitted_workloads_total"))
        .containsExactly("kueue_admitted_workloads_total{cluster_queue=q,priority_class=,"
            + "replica_role=standalone,custom_team=physics}");
    assertThat(sink.seriesWith("kueue_admitted_active_workloads"))
        .containsExactly("kueue_admitted_active_workloads{cluster_queue=q,"
            + "replica_role=standalone,custom_team=physics}");
    assertThat(sink.seriesWith("kueue_local_queue"))
        .isNotEmpty()
        .allMatch(series -> series.endsWith(",custom_tier=gold}"));
    assertThat(sink.seriesWith("kueue_cohort_"))
        .isNotEmpty()
        .allMatch(series -> series.endsWith(",custom_cost=42}"));
    assertThat(failures).isEmpty();
  }

  @Test
  void workloadsAreCountedByTheirLabels() {
    setUp(
        CustomLabel.ofLabel("team", Source.CLUSTER_QUEUE, "team"),
        CustomLabel.ofLabel("kind", Source.WORKLOAD, "kind").withTrackedValues("train", "serve"));
    label("CLUSTER_QUEUE//q", "team", "physics");
    for (String name : new String[] {"a", "b", "c", "e"}) {
      label("WORKLOAD/ns/" + name, "kind", name.equals("c") ? "serve" : "train");
    }
    label("WORKLOAD/ns/d", "kind", "something-else");
    queue("q", 10);
    for (String name : new String[] {"a", "b", "c"}) {
      AdmissionResult unused2 = engine.tryAdmit(job(name, "q", 1)).result();
    }
    engine.submit(job("d", "q", 1));
    engine.submit(job("e", "q", 1));
    String end = ",replica_role=standalone,custom_team=physics,custom_kind=";
    metrics.refresh(engine);
    assertThat(sink.seriesWith("kueue_admitted_active_workloads"))
        .containsExactly(
            "kueue_admitted_active_workloads{cluster_queue=q" + end + "serve}",
            "kueue_admitted_active_workloads{cluster_queue=q" + end + "train}");
    assertThat(sink.rawValue("kueue_admitted_active_workloads{cluster_queue=q" + end + "train}"))
        .isEqualTo(2);
    assertThat(sink.seriesWith("kueue_pending_workloads"))
        .containsExactly(
            "kueue_pending_workloads{cluster_queue=q,status=active" + end
                + "kueue.x-k8s.io/_UNTRACKED_VALUE_}",
            "kueue_pending_workloads{cluster_queue=q,status=active" + end + "train}");
    String local = "{name=lq-q,namespace=ns";
    assertThat(sink.rawValue("kueue_local_queue_admitted_workloads_total" + local
            + ",priority_class=,replica_role=standalone,custom_kind=train}"))
        .isEqualTo(2);
    assertThat(sink.rawValue("kueue_local_queue_admitted_active_workloads" + local
            + ",replica_role=standalone,custom_kind=serve}"))
        .isEqualTo(1);
    assertThat(sink.seriesWith("local_queue_admission_wait_time_seconds")).hasSize(2);
    // No other metric has labels of workloads.
    assertThat(sink.seriesWith("custom_kind"))
        .allMatch(series -> series.startsWith("kueue_admitted_active_workloads")
            || series.startsWith("kueue_pending_workloads")
            || series.startsWith("kueue_local_queue_admi"));
    for (String name : new String[] {"a", "b", "c"}) {
      engine.finish(id(name));
    }
    metrics.refresh(engine);
    assertThat(sink.seriesWith("kueue_admitted_active_workloads")).isEmpty();
    assertThat(failures).isEmpty();
  }

  @Test
  void labelsOfWorkloadsAreRefusedThatCannotBeTold() {
    CustomLabel label = CustomLabel.ofLabel("kind", Source.WORKLOAD, "kind");
    assertThatThrownBy(() -> setUp(label))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"kind\" for workloads tracks any value");
    CustomLabel tracked = label.withTrackedValues("a");
    assertThatThrownBy(() -> setUp(tracked, CustomLabel.ofLabel("kind", Source.LOCAL_QUEUE, "k")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"kind\" is for workloads and for queues");
    setUp(tracked, CustomLabel.ofLabel("kind", Source.COHORT, "k"));
  }

  @Test
  void seriesOfTheControllerHaveNone() {
    setUp(CustomLabel.ofLabel("team", Source.CLUSTER_QUEUE, "team"));
    queue("q", 10);
    engine.submit(job("a", "q", 1));
    cycle();
    assertThat(sink.seriesWith("kueue_admission_attempts_total"))
        .containsExactly("kueue_admission_attempts_total{result=success,replica_role=standalone}");
  }

  @Test
  void whatIsNotKnownHasAnEmptyValue() {
    setUp(CustomLabel.ofLabel("team", Source.CLUSTER_QUEUE, "team"));
    queue("q", 10);
    objects.put("CLUSTER_QUEUE//q", new ObjectMeta());
    queue("p", 10);
    metrics.refresh(engine);
    assertThat(sink.seriesWith("kueue_reserving_active_workloads"))
        .hasSize(2)
        .allMatch(series -> series.endsWith(",custom_team=}"));
  }

  @Test
  void onlyTrackedValuesAreReported() {
    setUp(CustomLabel.ofLabel("team", Source.CLUSTER_QUEUE, "team")
        .withTrackedValues("physics", "chemistry"));
    queue("q", 10);
    label("CLUSTER_QUEUE//q", "team", "chemistry");
    metrics.refresh(engine);
    assertThat(sink.seriesWith("custom_team=chemistry")).isNotEmpty();
    label("CLUSTER_QUEUE//q", "team", "somebody-else");
    metrics.refresh(engine);
    // Gauges are set again, and those with the previous value are removed.
    assertThat(sink.seriesWith("custom_team=chemistry")).isEmpty();
    assertThat(sink.seriesWith("kueue_cluster_queue_info"))
        .containsExactly("kueue_cluster_queue_info{cluster_queue=q,parent_cohort=,root_cohort=,"
            + "replica_role=standalone,custom_team=kueue.x-k8s.io/_UNTRACKED_VALUE_}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1st", "_team", "team-name", "tëam"})
  void namesAreThoseOfPrometheus(String name) {
    assertThatThrownBy(() -> CustomLabel.ofLabel(name, Source.COHORT, "key"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the custom label is called \"" + name
            + "\", expected letters, digits and underscores after a letter");
  }

  @Test
  void twoOfTheSameNameAreRefused() {
    CustomLabel label = CustomLabel.ofLabel("team", Source.COHORT, "a");
    KueueMetrics.Builder builder = KueueMetrics.builder(sink);
    assertThatThrownBy(() -> builder.customLabels(
            ImmutableList.of(label, CustomLabel.ofLabel("team", Source.COHORT, "b")),
            (source, namespace, name) -> Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two custom labels called \"team\" for COHORT");
    builder.customLabels(
        ImmutableList.of(label, CustomLabel.ofLabel("team", Source.CLUSTER_QUEUE, "b")),
        (source, namespace, name) -> Optional.empty());
  }
}
