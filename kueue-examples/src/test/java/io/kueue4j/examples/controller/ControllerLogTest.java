package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.logging.LogCapture;
import io.kueue4j.examples.logging.LogFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a controller logs. */
final class ControllerLogTest {
  private static final String PACKAGE = "io.kueue4j.examples.controller";

  @Test
  void eachStepInTheLifeOfAJobIsOneLine() {
    try (LogCapture log = new LogCapture(PACKAGE)) {
      Scene scene = Scene.create();
      scene.createJob("low", 3);
      scene.settle();
      scene.createJob("high", 3, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
      scene.settle();
      scene.finish("high");
      scene.settle();

      List<String> lines = log.lines(LogFormat.TEXT);
      assertThat(lines)
          .contains(
              "INFO DecisionLog: Admitted job=\"Job default/low\" queue=queue"
                  + " clusterQueue=research flavors=\"main:cpu=spot\"\n",
              "INFO JobEventRecorder: Started job=\"Job default/low\" event=Started"
                  + " clusterQueue=research flavors=\"main:cpu=spot\"\n");
      assertThat(lines)
          .filteredOn(line -> line.contains("Job default/low"))
          .extracting(line -> line.split(" ", -1)[2])
          .contains("Admitted", "Started", "Preempted", "Stopped");
      assertThat(lines)
          .filteredOn(line -> line.startsWith("INFO DecisionLog: Finished"))
          .singleElement()
          .asString()
          .contains("Job default/high");
    }
  }

  @Test
  void aProblemIsOneLineWhenItAppearsAndWhenItIsResolved() {
    try (LogCapture log = new LogCapture(PACKAGE)) {
      Scene scene = Scene.create();
      scene.createJob("one", 2);
      scene.settle();
      scene.editQueue("resourceGroups", List.of(Map.of("coveredResources", "cpu")));
      for (int step = 0; step < 5; step++) {
        scene.createJob("job-" + step, 1);
        scene.settle();
      }
      scene.deleteClusterQueue();
      scene.settle();
      scene.createClusterQueue();
      scene.settle();

      assertThat(log.lines(LogFormat.TEXT))
          .filteredOn(line -> line.contains("ConfigurationProblems"))
          .satisfiesExactly(
              line -> assertThat(line)
                  .startsWith("WARN ConfigurationProblems: configuration problem"
                      + " object=\"ClusterQueue research\" problem=")
                  .contains("coveredResources"),
              line -> assertThat(line).startsWith("WARN").contains("deleted, but still needed"),
              line -> assertThat(line)
                  .isEqualTo("INFO ConfigurationProblems: configuration problem resolved"
                      + " object=\"ClusterQueue research\"\n"));
    }
  }
}
