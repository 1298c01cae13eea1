package io.kueue4j.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.examples.tpu.study.Study;
import io.kueue4j.examples.tpu.study.StudyFigures;
import io.kueue4j.examples.tpu.study.StudyReport;
import io.kueue4j.examples.tpu.study.StudyScenario;
import java.io.PrintWriter;

/** Prints studies as JSON: all figures for each seed, shares as fractions of 1. */
final class StudyJson {
  private StudyJson() {}

  static void print(Study study, boolean times, Progress progress, PrintWriter out) {
    ObjectNode root = JsonReport.newObject().put("about", StudyReport.CAVEAT);
    ArrayNode scenarios = root.putArray("scenarios");
    study.run(progress::add, result -> {
      StudyScenario scenario = result.scenario();
      ObjectNode written = scenarios
          .addObject()
          .put("name", scenario.name())
          .put("description", scenario.description())
          .put("badHostsPerPool", scenario.badHosts())
          .put("loadPercent", scenario.loadPercent())
          .put("window", scenario.window())
          .put("jobs", result.jobs());
      ObjectNode mix = written.putObject("mixPercent");
      scenario.mix().shares().forEach(share -> mix.put(share.shape().toString(), share.percent()));
      ArrayNode policies = written.putArray("policies");
      for (Study.Row row : result.rows()) {
        ObjectNode policy = policies
            .addObject()
            .put("name", row.policy().name())
            .put("description", row.policy().description());
        write(row.mean(), times, policy.putObject("mean"));
        ArrayNode seeds = policy.putArray("seeds");
        for (int i = 0; i < study.seeds().size(); i++) {
          write(
              row.bySeed().get(i),
              times,
              seeds.addObject().put("seed", study.seeds().get(i)));
        }
      }
    });
    progress.erase();
    JsonReport.print(root, out);
  }

  private static void write(StudyFigures figures, boolean times, ObjectNode json) {
    json.put("utilisation", figures.utilisation())
        .put("accepted", figures.accepted())
        .put("acceptedChips", figures.acceptedChips())
        .put("acceptedLargeChips", figures.acceptedLargeChips())
        .put("movesPerAdmission", figures.movesPerAdmission())
        .put("movedChipsShare", figures.movedChipsShare());
    if (times) {
      json.put("microsPerFit", figures.microsPerFit());
    }
  }
}
