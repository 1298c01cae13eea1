package io.kueue4j.examples.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.JobSummary.PromiseCounts;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.TextFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes results of grids as JSON, and reads them. Durations are in seconds. */
public final class SweepJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SweepJson() {}

  /** Writes a result into an empty object. */
  public static void write(SweepResult result, ObjectNode root) {
    root.put("grid", result.digest()).put("version", result.version());
    result
        .part()
        .ifPresent(part -> root.putObject("part").put("index", part.index()).put("of", part.of()));
    ArrayNode axes = root.putArray("axes");
    for (Axis axis : result.axes()) {
      ObjectNode json = axes.addObject().put("name", axis.name()).put("numeric", axis.isNumeric());
      ArrayNode values = json.putArray("values");
      axis.values().forEach(values::add);
    }
    ArrayNode points = root.putArray("points");
    result.points().forEach(point -> write(result, point, points.addObject()));
  }

  private static void write(SweepResult result, PointResult point, ObjectNode json) {
    json.put("point", point.point());
    ObjectNode values = json.putObject("values");
    result.values(point).forEach(values::put);
    SummaryJson.write(point.total(), json.putObject("total"));
    SummaryJson.write(point.largeJobs(), json.putObject("largeJobs"));
    ObjectNode utilisation = json.putObject("utilisation");
    point
        .utilisation()
        .forEach((resource, used) -> utilisation
            .putObject(resource)
            .put("meanUsed", used.used())
            .put("meanNominal", used.nominal()));
    ObjectNode queues = json.putObject("clusterQueues");
    point.clusterQueues().forEach((name, jobs) -> SummaryJson.write(jobs, queues.putObject(name)));
    if (!point.repeatedStops().isEmpty()) {
      ArrayNode stops = json.putArray("repeatedStops");
      point.repeatedStops().forEach(stop -> write(stop, stops.addObject()));
    }
    json.put("digest", point.digest());
  }

  private static void write(RepeatedStop stop, ObjectNode json) {
    write(stop.workload(), json.putObject("workload"));
    stop.preemptor().ifPresent(preemptor -> write(preemptor, json.putObject("preemptor")));
    json.put("reason", stop.reason());
  }

  private static void write(WorkloadId workload, ObjectNode json) {
    json.put("namespace", workload.namespace()).put("name", workload.name());
  }

  /**
   * {@return the results in a file, by what to call them: several, if it is the joined log of
   * several pods, where other lines are passed over}
   *
   * @throws InputException if the file is unreadable, or contains no result or a damaged one
   */
  public static ImmutableMap<String, SweepResult> read(InputFile file) {
    ImmutableMap.Builder<String, SweepResult> results = ImmutableMap.builder();
    int number = 1;
    for (String json : objects(file, TextFiles.read(file))) {
      results.put(
          number == 1 ? file.toString() : file + " (result " + number + ")", read(file, json));
      number++;
    }
    return results.buildOrThrow();
  }

  /** {@return the objects of a text, each of which begins and ends with a line} */
  private static List<String> objects(InputFile file, String text) {
    List<String> objects = new ArrayList<>();
    StringBuilder open = new StringBuilder();
    for (String line : Splitter.on('\n').split(text)) {
      if (line.startsWith("{") && !open.isEmpty()) {
        break;
      }
      if (line.startsWith("{") || !open.isEmpty()) {
        open.append(line).append('\n');
      }
      if (line.equals("}") || (line.startsWith("{") && !line.equals("{"))) {
        objects.add(open.toString());
        open.setLength(0);
      }
    }
    if (!open.isEmpty()) {
      throw new InputException(file + ": the result is damaged or cut off");
    }
    if (objects.isEmpty()) {
      throw new InputException(
          file + ": no result of a grid; expected what 'sweep -o json' prints");
    }
    return objects;
  }

  private static SweepResult read(InputFile file, String json) {
    try {
      return result(MAPPER.readTree(json));
    } catch (JsonProcessingException e) {
      throw new InputException(
          file + ": the result is damaged or cut off: " + e.getOriginalMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new InputException(
          file + ": no result of a grid: " + e.getMessage()
              + "; expected what 'sweep -o json' prints",
          e);
    }
  }

  private static SweepResult result(JsonNode root) {
    ImmutableList.Builder<Axis> axes = ImmutableList.builder();
    for (JsonNode axis : required(root, "axes")) {
      ImmutableList.Builder<String> values = ImmutableList.builder();
      required(axis, "values").forEach(value -> values.add(value.asText()));
      axes.add(new Axis(
          required(axis, "name").asText(), required(axis, "numeric").asBoolean(), values.build()));
    }
    ImmutableList.Builder<PointResult> points = ImmutableList.builder();
    required(root, "points").forEach(point -> points.add(point(point)));
    JsonNode part = root.path("part");
    return new SweepResult(
        required(root, "grid").asText(),
        required(root, "version").asText(),
        axes.build(),
        part.isMissingNode()
            ? Optional.empty()
            : Optional.of(new SweepResult.Part(integer(part, "index"), integer(part, "of"))),
        points.build());
  }

  private static PointResult point(JsonNode json) {
    ImmutableSortedMap.Builder<String, JobSummary> queues = ImmutableSortedMap.naturalOrder();
    for (Map.Entry<String, JsonNode> queue : required(json, "clusterQueues").properties()) {
      queues.put(queue.getKey(), summary(queue.getValue()));
    }
    ImmutableSortedMap.Builder<String, PointResult.Usage> utilisation =
        ImmutableSortedMap.naturalOrder();
    for (Map.Entry<String, JsonNode> resource : required(json, "utilisation").properties()) {
      utilisation.put(
          resource.getKey(),
          new PointResult.Usage(
              required(resource.getValue(), "meanUsed").asDouble(),
              required(resource.getValue(), "meanNominal").asDouble()));
    }
    ImmutableList.Builder<RepeatedStop> stops = ImmutableList.builder();
    json.path("repeatedStops").forEach(stop -> stops.add(repeatedStop(stop)));
    return new PointResult(
        integer(json, "point"),
        summary(required(json, "total")),
        json.has("largeJobs") ? summary(json.path("largeJobs")) : JobSummary.none(),
        queues.buildOrThrow(),
        utilisation.buildOrThrow(),
        stops.build(),
        required(json, "digest").asText());
  }

  private static RepeatedStop repeatedStop(JsonNode json) {
    return new RepeatedStop(
        workload(required(json, "workload")),
        json.has("preemptor") ? Optional.of(workload(json.path("preemptor"))) : Optional.empty(),
        required(json, "reason").asText());
  }

  private static WorkloadId workload(JsonNode json) {
    return WorkloadId.of(
        required(json, "namespace").asText(), required(json, "name").asText());
  }

  private static JobSummary summary(JsonNode json) {
    JsonNode wait = required(json, "waitSeconds");
    return JobSummary.builder()
        .jobs(integer(json, "jobs"))
        .started(integer(json, "started"))
        .finished(integer(json, "finished"))
        .preemptions(required(json, "preemptions").asLong())
        .evictions(required(json, "evictions").asLong())
        .lostWork(duration(json, "lostWorkSeconds"))
        .meanWait(duration(wait, "mean"))
        .p50Wait(duration(wait, "p50"))
        .p90Wait(duration(wait, "p90"))
        .p95Wait(duration(wait, "p95"))
        .p99Wait(duration(wait, "p99"))
        .maxWait(duration(wait, "max"))
        .meanSlowdown(required(json, "meanSlowdown").asDouble(Double.NaN))
        .meanBoundedSlowdown(required(json, "meanBoundedSlowdown").asDouble(Double.NaN))
        .promises(json.has("promises") ? promises(json.path("promises")) : PromiseCounts.NONE)
        .build();
  }

  private static PromiseCounts promises(JsonNode json) {
    return new PromiseCounts(
        integer(json, "made"),
        integer(json, "kept"),
        integer(json, "late"),
        required(json, "moved").asLong(),
        required(json, "withdrawn").asLong(),
        duration(json, "maxDelaySeconds"));
  }

  private static JsonNode required(JsonNode json, String name) {
    JsonNode value = json.path(name);
    if (value.isMissingNode()) {
      throw new IllegalArgumentException("there is no field '" + name + "'");
    }
    return value;
  }

  private static int integer(JsonNode json, String name) {
    return required(json, name).asInt();
  }

  private static Duration duration(JsonNode json, String name) {
    return Duration.ofMillis(Math.round(required(json, name).asDouble() * 1000));
  }
}
