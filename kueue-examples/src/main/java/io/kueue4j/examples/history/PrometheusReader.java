package io.kueue4j.examples.history;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.Doubles;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import io.kueue4j.examples.simulation.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the Jobs of a cluster from the answer of Prometheus to a query for metrics of
 * kube-state-metrics. The Jobs of an owner other than a CronJob, such as a JobSet, are one job.
 * Namespaces count as users.
 */
final class PrometheusReader {
  /** How an answer begins. */
  static final String HEAD = "{\"status\":\"success\"";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Kinds of owners whose Jobs have nothing to do with each other, and words for no owner. */
  private static final ImmutableSet<String> INDEPENDENT = ImmutableSet.of("", "<none>", "CronJob");

  private static final String QUEUE_LABEL = "label_kueue_x_k8s_io_queue_name";

  /** The characters of a name that a label keeps. */
  private static final CharMatcher PLAIN = CharMatcher.inRange('a', 'z')
      .or(CharMatcher.inRange('A', 'Z'))
      .or(CharMatcher.inRange('0', '9'));

  /** The label of a resource whose name begins with a domain. */
  private static final Pattern EXTENDED = Pattern.compile("(.+_(?:ai|com|dev|io|net|org))_(.+)");

  private final HistoryFile.Options options;

  /** Resources by their labels. */
  private final Map<String, String> known = new HashMap<>();

  private final SkippedLines results = new SkippedLines("result");

  /** By namespace and name. */
  private final Map<String, RecordedJob> jobs = new LinkedHashMap<>();

  /** By namespace and name. */
  private final Map<String, RecordedPod> pods = new LinkedHashMap<>();

  private PrometheusReader(HistoryFile.Options options) {
    this.options = options;
  }

  /**
   * {@return the history}
   *
   * @param source the name of the file
   * @param content the answer
   * @param options the largest number of jobs, and which resources jobs request
   * @throws InputException if the content is not the answer to an instant query
   */
  static History read(String source, InputStream content, HistoryFile.Options options)
      throws IOException {
    PrometheusReader reader = new PrometheusReader(options);
    try (JsonParser parser = MAPPER.getFactory().createParser(content)) {
      reader.answer(source, parser);
    } catch (JsonProcessingException e) {
      throw new InputException(source + ": not JSON: " + e.getOriginalMessage(), e);
    }
    return reader.history(source);
  }

  /** Reads the results one after another, since there are many. */
  private void answer(String source, JsonParser parser) throws IOException {
    while (parser.nextToken() != null) {
      boolean isList = parser.currentToken() == JsonToken.FIELD_NAME
          && parser.currentName().equals("result")
          && parser.nextToken() == JsonToken.START_ARRAY;
      if (isList) {
        for (long number = 1; parser.nextToken() != JsonToken.END_ARRAY; number++) {
          result(number, MAPPER.readTree(parser));
        }
        return;
      }
    }
    throw new InputException(
        source + ": there is no list data.result; expected the answer to an instant query");
  }

  private void result(long number, JsonNode result) {
    JsonNode metric = result.path("metric");
    Double value = Doubles.tryParse(result.path("value").path(1).asText());
    String name = label(metric, "__name__");
    String namespace = label(metric, "namespace");
    if (value == null || !Double.isFinite(value) || name.isEmpty() || namespace.isEmpty()) {
      results.bad(number, "the result has no name, namespace or value");
    } else if (name.startsWith("kube_job_")) {
      String job = label(metric, "job_name");
      job(
          jobs.computeIfAbsent(
              namespace + "/" + job, unused -> new RecordedJob(namespace, job, number)),
          name,
          metric,
          value);
    } else if (name.startsWith("kube_pod_")) {
      String pod = namespace + "/" + label(metric, "pod");
      pod(pods.computeIfAbsent(pod, unused -> new RecordedPod()), name, metric, value);
    } else {
      results.leftOut(number, "a metric that is not used");
    }
  }

  /** Takes a value of a Job. An exporter that was restarted has series of its own. */
  private static void job(RecordedJob job, String name, JsonNode metric, double value) {
    switch (name) {
      case "kube_job_created" -> job.created = Math.max(job.created, value);
      case "kube_job_status_start_time" -> job.started = Math.max(job.started, value);
      case "kube_job_status_completion_time" -> job.ended = Math.max(job.ended, value);
      case "kube_job_spec_parallelism" -> job.parallelism = Math.max(job.parallelism, value);
      case "kube_job_spec_completions" -> job.completions = value;
      case "kube_job_labels" -> job.queue = label(metric, QUEUE_LABEL);
      case "kube_job_owner" -> {
        String kind = label(metric, "owner_kind");
        job.owner = INDEPENDENT.contains(kind) ? "" : kind + "/" + label(metric, "owner_name");
      }
      default -> {}
    }
  }

  private void pod(RecordedPod pod, String name, JsonNode metric, double value) {
    switch (name) {
      case "kube_pod_info" -> {
        if (label(metric, "created_by_kind").equals("Job")) {
          pod.job = label(metric, "namespace") + "/" + label(metric, "created_by_name");
        }
      }
      case "kube_pod_completion_time" -> pod.ended = Math.max(pod.ended, value);
      case "kube_pod_container_resource_requests" ->
        pod.add(resource(label(metric, "resource")), label(metric, "container"), value);
      default -> {}
    }
  }

  /**
   * {@return the resource of a label, in which underscores stand for dots, hyphens and the slash: a
   * resource that ClusterQueues have quota for, otherwise what it is most likely}
   */
  private String resource(String label) {
    return known.computeIfAbsent(
        label,
        unused -> options.covered().stream()
            .flatMap(Set::stream)
            .filter(name -> PLAIN.negate().replaceFrom(name, '_').equals(label))
            .findFirst()
            .orElseGet(() -> {
              Matcher extended = EXTENDED.matcher(label);
              return extended.matches()
                  ? extended.group(1).replace('_', '.') + "/" + extended.group(2)
                  : label.replace('_', '-');
            }));
  }

  private static String label(JsonNode metric, String name) {
    return metric.path(name).asText();
  }

  private History history(String source) {
    pods.values().forEach(pod -> {
      RecordedJob job = jobs.get(pod.job);
      if (job != null) {
        job.add(pod);
      }
    });
    ListMultimap<String, RecordedJob> groups =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    jobs.forEach(
        (key, job) -> groups.put(job.owner.isEmpty() ? key : job.namespace + "/" + job.owner, job));
    JobList read = new JobList(results);
    for (List<RecordedJob> group : Multimaps.asMap(groups).values()) {
      if (read.size() < options.limit()) {
        job(group, read).ifPresent(job -> read.add(job, group.get(0).number));
      }
    }
    return History.ofTimes(source, read.finish(), results);
  }

  /**
   * {@return the job that Jobs make together, empty if they cannot be used}
   *
   * @param read the jobs so far
   */
  private Optional<HistoryJob> job(List<RecordedJob> group, JobList read) {
    RecordedJob first = group.get(0);
    String plain =
        first.owner.isEmpty() ? first.name : first.owner.substring(first.owner.indexOf('/') + 1);
    String name = read.unusedName(first.namespace, plain);
    Optional<Times> times = times(group);
    List<PodSet> podSets = podSets(group);
    if (!DnsNames.isSubdomain(name)) {
      results.bad(first.number, "the Job has no name of Kubernetes");
    } else if (times.isEmpty()) {
      results.leftOut(first.number, "the Job has not run to its end");
    } else if (times.get().waited() + times.get().run() > Times.MAX_SECONDS * 1000) {
      results.bad(first.number, "a time of more than a century");
    } else if (podSets.isEmpty()) {
      results.leftOut(first.number, "the Job requests nothing that counts");
    } else {
      String queue = group.stream().map(job -> job.queue).max(String::compareTo).orElse("");
      String localQueue = queue.isEmpty() ? "" : first.namespace + "/" + queue;
      return Optional.of(HistoryJob.of(
          name, times.get(), new Labels(first.namespace, "", localQueue, ""), podSets));
    }
    return Optional.empty();
  }

  private static Optional<Times> times(List<RecordedJob> group) {
    if (group.stream().anyMatch(RecordedJob::isUnfinished)) {
      return Optional.empty();
    }
    long created = millis(group.stream().mapToDouble(job -> job.created).min());
    long started = millis(group.stream().mapToDouble(job -> job.started).min());
    long ended = millis(group.stream().mapToDouble(job -> job.ended).max());
    return Optional.of(new Times(created, started - created, ended - started, -1, 0, -1));
  }

  private static long millis(OptionalDouble seconds) {
    return Math.round(seconds.orElseThrow() * 1000);
  }

  /** {@return pod sets; Jobs whose pods request the same share one} */
  private List<PodSet> podSets(List<RecordedJob> group) {
    Map<Map<String, Long>, Long> counts = new LinkedHashMap<>();
    for (RecordedJob job : group) {
      Map<String, Long> requests = new TreeMap<>();
      job.requests().forEach((resource, amount) -> {
        if (options.counts(resource)) {
          requests.put(resource, amount);
        }
      });
      if (!requests.isEmpty() && job.podCount() > 0) {
        counts.merge(requests, job.podCount(), Long::sum);
      }
    }
    List<PodSet> podSets = new ArrayList<>();
    counts.forEach((requests, count) -> {
      PodSet.Builder pods = PodSet.builder()
          .name("pods-" + (1 + podSets.size()))
          .count((int) Math.min(count, Integer.MAX_VALUE));
      requests.forEach(pods::requestAmount);
      podSets.add(pods.build());
    });
    return podSets;
  }
}
