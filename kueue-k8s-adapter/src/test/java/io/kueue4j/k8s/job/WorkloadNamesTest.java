package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkloadNamesTest {
  @Test
  void isKindNameAndHash() {
    // printf 'Job\nbatch\nsample\n1234' | sha1sum
    assertThat(WorkloadNames.of("batch", "Job", "sample", "1234")).isEqualTo("job-sample-84fd7");
    // printf 'JobSet\njobset.x-k8s.io\nmultislice-3slice\n' | sha1sum
    assertThat(WorkloadNames.of("jobset.x-k8s.io", "JobSet", "multislice-3slice", ""))
        .isEqualTo("jobset-multislice-3slice-563f8");
  }

  @Test
  void differsByUid() {
    assertThat(WorkloadNames.of("batch", "Job", "sample", "1"))
        .isNotEqualTo(WorkloadNames.of("batch", "Job", "sample", "2"));
  }

  @Test
  void isNoLongerThanAName() {
    String name = "n".repeat(253);
    String workload = WorkloadNames.of("batch", "Job", name, "1");
    assertThat(workload).hasSize(253).startsWith("job-nnn");
    assertThat(workload.charAt(247)).isEqualTo('-');
    assertThat(workload).isNotEqualTo(WorkloadNames.of("batch", "Job", name, "2"));
  }
}
