package io.kueue4j.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.lint.Finding.Play;
import io.kueue4j.core.lint.Finding.Severity;
import io.kueue4j.core.lint.LoopReport;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Quantity;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Prints findings as text and as JSON. */
final class LintReport {
  private LintReport() {}

  /** Prints findings as text, with what was played if asked for. */
  static void print(List<PlacedFinding> findings, int accepted, boolean plays, Screen out) {
    for (PlacedFinding each : findings) {
      String place =
          each.isInText() ? each.place().source() + ":" + each.place().line() + ": " : "";
      out.printWrapped(
          place + each.finding().severity() + " " + each.finding().rule() + ": " + each.text());
      out.printWrapped("  change: " + each.finding().advice());
      if (plays) {
        each.finding().play().ifPresent(play -> print(play, out));
      }
    }
    out.println(summary(findings, accepted));
  }

  private static void print(Play play, Screen out) {
    for (ConfigObject added : play.added()) {
      out.printWrapped("  played with: " + added.key());
    }
    play.story().forEach(line -> out.printWrapped("  played: " + line));
  }

  private static String summary(List<PlacedFinding> findings, int accepted) {
    String known = accepted == 0 ? "" : "; the baseline accepts " + accepted + " more";
    if (findings.isEmpty()) {
      return "no findings" + known;
    }
    StringBuilder counts = new StringBuilder();
    for (Severity severity : List.of(Severity.ERROR, Severity.WARNING, Severity.NOTE)) {
      long count = findings.stream()
          .filter(each -> each.finding().severity() == severity)
          .count();
      counts
          .append(counts.length() == 0 ? "" : ", ")
          .append(count)
          .append(" ")
          .append(severity)
          .append(count == 1 ? "" : "s");
    }
    return counts + known;
  }

  /** Prints findings as JSON. */
  static void printJson(
      List<PlacedFinding> findings,
      int accepted,
      List<String> stale,
      Optional<LoopReport> loops,
      PrintWriter out) {
    ObjectNode root = JsonReport.newObject();
    ArrayNode array = root.putArray("findings");
    findings.forEach(finding -> write(finding, array.addObject()));
    root.put("accepted", accepted);
    stale.forEach(root.putArray("stale")::add);
    loops
        .map(LoopReport::coverage)
        .ifPresent(coverage -> root.putObject("loopSearch")
            .put("groups", coverage.groups())
            .put("allGroups", coverage.allGroups())
            .put("states", coverage.states())
            .put("jobs", coverage.workloads())
            .put("groupsCutShort", coverage.groupsCutShort()));
    JsonReport.print(root, out);
  }

  private static void write(PlacedFinding finding, ObjectNode json) {
    json.put("rule", finding.finding().rule().toString())
        .put("severity", finding.finding().severity().toString())
        .put("file", finding.isInText() ? finding.place().source() : null)
        .put("line", finding.isInText() ? finding.place().line() : null)
        .put("column", finding.isInText() ? finding.place().column() : null)
        .put("object", finding.object())
        .put("field", finding.place().field())
        .put("message", finding.place().message())
        .put("advice", finding.finding().advice())
        .put("fingerprint", finding.fingerprint());
    finding
        .finding()
        .play()
        .ifPresentOrElse(
            play -> write(play, json.putObject("scenario")), () -> json.putNull("scenario"));
  }

  private static void write(Play play, ObjectNode json) {
    ArrayNode added = json.putArray("added");
    play.added().forEach(object -> added.add(object.key()));
    ArrayNode steps = json.putArray("steps");
    for (List<Workload> step : play.steps()) {
      ArrayNode workloads = steps.addArray();
      for (Workload workload : step) {
        ObjectNode requests = workloads
            .addObject()
            .put("workload", workload.id().toString())
            .put("queue", workload.queueName())
            .put("priority", workload.priority())
            .putObject("requests");
        workload
            .totalRequests()
            .forEach(
                (resource, amount) -> requests.put(resource, Quantity.format(resource, amount)));
      }
    }
    ArrayNode story = json.putArray("story");
    play.story().forEach(story::add);
  }
}
