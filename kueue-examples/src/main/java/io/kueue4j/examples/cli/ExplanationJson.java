package io.kueue4j.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Reason.QuotaFigures;
import io.kueue4j.core.resource.Quantity;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Writes as JSON what {@link ExplanationReport} prints. */
final class ExplanationJson {
  private ExplanationJson() {}

  static void write(Explanation explanation, ObjectNode json) {
    json.put("positionInClusterQueue", number(explanation.positionInClusterQueue()))
        .put("positionInLocalQueue", number(explanation.positionInLocalQueue()))
        .put("nextToTry", explanation.isNextToTry());
    explanation
        .preempted()
        .ifPresentOrElse(
            condition -> json.putObject("preempted")
                .put(
                    "by",
                    explanation
                        .preemptedBy()
                        .map(by -> by.preemptor().toString())
                        .orElse(null))
                .put(
                    "clusterQueue",
                    explanation.preemptedBy().map(by -> by.clusterQueue()).orElse(null))
                .put("reason", condition.reason().toString()),
            () -> json.putNull("preempted"));
    explanation
        .promise()
        .ifPresent(promise -> json.putObject("promise")
            .put("start", promise.start().toString())
            .put("borrows", promise.borrows())
            .put("restsOnLimits", promise.restsOnLimits()));
    ArrayNode reasons = json.putArray("reasons");
    explanation.reasons().forEach(reason -> write(reason, reasons.addObject()));
    ArrayNode remedies = json.putArray("remedies");
    explanation.remedies().forEach(remedy -> write(remedy, remedies.addObject()));
  }

  private static void write(Reason reason, ObjectNode json) {
    json.put("code", reason.code().name())
        .put("message", reason.message())
        .put("podSet", reason.podSet().orElse(null))
        .put("flavor", reason.flavor().orElse(null))
        .put("resource", reason.resource().orElse(null));
    String resource = reason.resource().orElse("");
    reason
        .figures()
        .ifPresentOrElse(
            figures -> write(figures, resource, json.putObject("figures")),
            () -> json.putNull("figures"));
  }

  private static void write(QuotaFigures figures, String resource, ObjectNode json) {
    json.put("requested", Quantity.format(resource, figures.requested()))
        .put("available", Quantity.format(resource, figures.available()))
        .put("nominal", Quantity.format(resource, figures.nominal()))
        .put("used", Quantity.format(resource, figures.used()));
    QuotaFigures.Limit limit = figures.limit();
    json.putObject("limit")
        .put("kind", limit.kind().toString())
        .put("owner", limit.owner())
        .put("amount", Quantity.format(resource, limit.amount()))
        .put("used", Quantity.format(resource, limit.used()));
    ArrayNode holders = json.putArray("holders");
    for (QuotaFigures.Holder holder : figures.holders()) {
      holders
          .addObject()
          .put("workload", holder.workload().toString())
          .put("clusterQueue", holder.clusterQueue())
          .put("amount", Quantity.format(resource, holder.amount()));
    }
    json.put("otherHolders", figures.otherHolderCount());
  }

  private static void write(Remedy remedy, ObjectNode json) {
    json.put("kind", remedy.kind().name()).put("message", remedy.message());
    ArrayNode stops = json.putArray("stops");
    remedy.stops().forEach(workload -> stops.add(workload.toString()));
  }

  private static @Nullable Integer number(OptionalInt value) {
    if (value.isEmpty()) {
      return null;
    }
    return value.getAsInt();
  }
}
