package io.kueue4j.examples.history;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.simulation.SimulationJob.Checkpoints;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import io.kueue4j.examples.simulation.TimeText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the project's own format: one job per line, as a JSON object. */
final class JsonLinesReader {
  private static final ObjectMapper MAPPER = JsonMapper.builder()
      .enable(
          DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
          DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
      .build();

  /** What the parser adds to its messages: the name of one of its options. */
  private static final Pattern PARSER_OPTION = Pattern.compile("(: enable |: not allowed ).*");

  private static final ImmutableSet<String> FIELDS = ImmutableSet.of(
      "id",
      "submit",
      "duration",
      "estimate",
      "wait",
      "user",
      "group",
      "queue",
      "partition",
      "priority",
      "pods",
      "requests",
      "nodeSelector",
      "after",
      "thinkTime",
      "cancelAfter",
      "checkpoints");

  private final SkippedLines lines = new SkippedLines();
  private final JobList jobs = new JobList(lines);
  private final Map<JsonNode, PodSet> podSets = new HashMap<>();
  private Optional<Boolean> absolute = Optional.empty();

  private JsonLinesReader() {}

  /**
   * {@return the history}
   *
   * @param source the name of the file
   * @param input its lines
   * @param limit the largest number of jobs
   */
  static History read(String source, ByteLines input, int limit) throws IOException {
    JsonLinesReader reader = new JsonLinesReader();
    while (reader.jobs.size() < limit && input.next()) {
      if (!input.isBlank()) {
        reader.line(input);
      }
    }
    return reader.history(source);
  }

  private History history(String source) {
    ImmutableList<HistoryJob> read = jobs.finish();
    return absolute.orElse(false)
        ? History.ofTimes(source, read, lines)
        : new History(source, History.UNKNOWN_START, read, History.Machine.unknown(), lines);
  }

  private void line(ByteLines input) {
    try {
      JsonNode json = MAPPER.readTree(input.buffer(), input.from(), input.to() - input.from());
      if (!json.isObject()) {
        throw new BadLineException("expected a JSON object");
      }
      jobs.add(job(json), input.number());
    } catch (BadLineException e) {
      lines.bad(input.number(), String.valueOf(e.getMessage()));
    } catch (JsonProcessingException e) {
      lines.bad(input.number(), problem(e.getOriginalMessage()));
    } catch (IOException e) {
      lines.bad(input.number(), "not JSON");
    }
  }

  private static String problem(String message) {
    return message.startsWith("Trailing token")
        ? "more than one JSON value; expected one object per line"
        : "not JSON: " + PARSER_OPTION.matcher(message).replaceFirst("");
  }

  /** {@return a field, missing if it is null} */
  private static JsonNode field(JsonNode json, String name) {
    return json.hasNonNull(name) ? json.path(name) : MissingNode.getInstance();
  }

  /** {@return a field that is text or a number, empty if it is missing} */
  private static String text(JsonNode json, String name) throws BadLineException {
    JsonNode value = field(json, name);
    if (!value.isMissingNode() && !value.isTextual() && !value.isNumber()) {
      throw new BadLineException(name + " is " + value + "; expected text");
    }
    return value.asText();
  }

  /** {@return a field that is an object, missing if it is none} */
  private static JsonNode object(JsonNode json, String name) throws BadLineException {
    JsonNode value = field(json, name);
    if (!value.isMissingNode() && !value.isObject()) {
      throw new BadLineException(name + " is " + value + "; expected an object");
    }
    return value;
  }

  private HistoryJob job(JsonNode json) throws BadLineException {
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!FIELDS.contains(name)) {
        throw new BadLineException("unknown field " + name);
      }
    }
    String id = text(json, "id");
    if (!DnsNames.isSubdomain(id)) {
      throw new BadLineException(
          "id is " + json.path("id") + "; expected lower-case letters, digits, hyphens and dots");
    }
    Times times = new Times(
        submit(field(json, "submit")),
        seconds(json, "wait", -1),
        required(json, "duration"),
        seconds(json, "estimate", -1),
        seconds(json, "thinkTime", 0),
        seconds(json, "cancelAfter", -1));
    Labels labels = new Labels(
        text(json, "user"), text(json, "group"), text(json, "queue"), text(json, "partition"));
    return new HistoryJob(
        id,
        times,
        labels,
        ImmutableList.of(podSet(json)),
        integer(json, "priority", 0, Integer.MIN_VALUE),
        after(field(json, "after")),
        checkpoints(object(json, "checkpoints")),
        Optional.empty());
  }

  private long submit(JsonNode submit) throws BadLineException {
    if (absolute.isPresent() && absolute.get() != submit.isTextual()) {
      throw new BadLineException("submit is a "
          + (submit.isTextual()
              ? "time, and those before are seconds"
              : "number, and those before are times"));
    }
    Optional<Instant> time = submit.isTextual() ? TimeText.time(submit.asText()) : Optional.empty();
    if (submit.isTextual() && time.isEmpty()) {
      throw new BadLineException(
          "submit is " + submit + "; expected seconds or a time as 2026-01-31T12:00:00Z");
    }
    long millis = time.isPresent() ? time.get().toEpochMilli() : millis(submit, "submit");
    absolute = Optional.of(submit.isTextual());
    return millis;
  }

  private static long required(JsonNode json, String field) throws BadLineException {
    return millis(field(json, field), field);
  }

  private static long seconds(JsonNode json, String field, long otherwise) throws BadLineException {
    return json.hasNonNull(field) ? millis(json.path(field), field) : otherwise;
  }

  private static long millis(JsonNode value, String field) throws BadLineException {
    if (!value.isNumber() || !(value.asDouble() >= 0) || value.asDouble() > Times.MAX_SECONDS) {
      throw new BadLineException(field + (value.isMissingNode() ? " is missing" : " is " + value)
          + "; expected seconds, at least 0 and at most a century");
    }
    return Math.round(value.asDouble() * 1000);
  }

  private static int integer(JsonNode json, String field, int otherwise, int least)
      throws BadLineException {
    if (!json.hasNonNull(field)) {
      return otherwise;
    }
    JsonNode value = json.path(field);
    if (!value.canConvertToInt() || !value.isIntegralNumber() || value.asInt() < least) {
      throw new BadLineException(field + " is " + value + "; expected a whole number"
          + (least == Integer.MIN_VALUE ? "" : " from " + least));
    }
    return value.asInt();
  }

  private PodSet podSet(JsonNode json) throws BadLineException {
    JsonNode key = MAPPER
        .createArrayNode()
        .add(json.path("pods"))
        .add(json.path("requests"))
        .add(json.path("nodeSelector"));
    PodSet known = podSets.get(key);
    if (known != null) {
      return known;
    }
    JsonNode requests = object(json, "requests");
    PodSet.Builder pods = PodSet.builder().count(integer(json, "pods", 1, 1));
    if (requests.isEmpty()) {
      throw new BadLineException("requests is missing; expected quantities by resource");
    }
    for (Map.Entry<String, JsonNode> request : requests.properties()) {
      if (!ResourceNames.isQualifiedName(request.getKey())) {
        throw new BadLineException(
            "requests has '" + request.getKey() + "'; expected the name of a resource");
      }
      try {
        long amount =
            Quantity.amount(request.getKey(), Quantity.parse(request.getValue().asText()));
        if (amount < 0) {
          throw new BadLineException("requests." + request.getKey() + " is "
              + request.getValue().asText() + "; expected 0 or more");
        }
        pods.requestAmount(request.getKey(), amount);
      } catch (IllegalArgumentException e) {
        throw new BadLineException("requests." + request.getKey() + ": " + e.getMessage());
      }
    }
    for (Map.Entry<String, JsonNode> label : object(json, "nodeSelector").properties()) {
      if (!label.getValue().isValueNode() || label.getValue().isNull()) {
        throw new BadLineException(
            "nodeSelector." + label.getKey() + " is " + label.getValue() + "; expected text");
      }
      pods.putNodeSelector(label.getKey(), label.getValue().asText());
    }
    PodSet built = pods.build();
    podSets.put(key, built);
    return built;
  }

  private static ImmutableList<String> after(JsonNode after) throws BadLineException {
    if (!after.isMissingNode() && !after.isArray()) {
      throw new BadLineException("after is " + after + "; expected a list of ids");
    }
    for (JsonNode id : after) {
      if (!id.isTextual()) {
        throw new BadLineException("after has " + id + "; expected ids");
      }
    }
    return Lists.newArrayList(after).stream()
        .map(JsonNode::asText)
        .distinct()
        .collect(toImmutableList());
  }

  private static Optional<Checkpoints> checkpoints(JsonNode json) throws BadLineException {
    if (json.isMissingNode()) {
      return Optional.empty();
    }
    List<String> unknown = Lists.newArrayList(json.fieldNames());
    unknown.removeAll(ImmutableSet.of("interval", "restart"));
    if (!unknown.isEmpty()) {
      throw new BadLineException("unknown field checkpoints." + Joiner.on(", ").join(unknown));
    }
    long interval = required(json, "interval");
    if (interval < 1) {
      throw new BadLineException("checkpoints.interval is 0; expected more");
    }
    return Optional.of(new Checkpoints(
        Duration.ofMillis(interval), Duration.ofMillis(seconds(json, "restart", 0))));
  }
}
