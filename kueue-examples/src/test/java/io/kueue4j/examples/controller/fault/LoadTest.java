package io.kueue4j.examples.controller.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * What a start costs an API server, by figures that do not depend on the machine; with
 * {@code -Dkueue4j.load=true} on as many jobs as a large cluster has.
 */
class LoadTest {
  private static final boolean LARGE = Boolean.getBoolean("kueue4j.load");

  @Test
  void aStartIsOneWriteOfTheJob() {
    int jobs = LARGE ? 10_000 : 300;

    LoadRun.Result result = LoadRun.of(jobs, LARGE ? 100 : 10);

    if (LARGE) {
      System.out.println(result);
    }
    assertThat(result.starts()).isEqualTo(jobs);
    assertThat(result.jobWrites()).isEqualTo(result.starts());
  }

  @Test
  void soItIsThroughAClientOnAServer() throws Exception {
    int jobs = LARGE ? 10_000 : 60;

    ServerLoad.Result result = ServerLoad.of(jobs, LARGE ? 100 : 6);

    if (LARGE) {
      System.out.println(result);
    }
    assertThat(result.starts()).isEqualTo(jobs);
    assertThat(result.jobWrites()).isEqualTo(jobs);
  }
}
