package io.kueue4j.examples.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Strings;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.collect.Multiset;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.SimulationResult;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The jobs of one or two simulations as JSON, in columns, with differences in place of times, so
 * that 200,000 jobs take few megabytes. {@code jobs.js} reads it.
 *
 * <pre>
 * {
 *   "unit": 1000,             milliseconds of all times
 *   "from": 1767225600000,    the start, in milliseconds since the epoch
 *   "names": "0a\n1b\n…",     a name per line: how many characters it shares with the one before, as
 *                             a digit to base 36, and the rest
 *   "queues": ["q", …], "queue": [0, …],     names of ClusterQueues, those with most jobs first; of
 *   "users": ["u", …], "user": [0, …],       each job the position of its name
 *   "submit": [0, 7, …],      the time since the submission of the job before
 *   "runs": [{                per simulation:
 *     "title": "before",
 *     "job": [0, 1, 0, …],    the job of a run, counted from the one of the run before
 *     "start": [3, 0, …],     the time from the submission of the job to the start of the run
 *     "length": [60, 5, …],
 *     "kind": "010…",         a digit per run: see Kind
 *     "later": [0, 5, …]      how much later each job was submitted than in "submit", if any was
 *   }]
 * }
 * </pre>
 */
final class Timeline {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MAX_SHARED = 35;
  private static final long NEVER = Long.MIN_VALUE;

  /** What became of a run. The digits are part of the format. */
  private enum Kind {
    ENDED('0'),
    /** Preempted or evicted. */
    STOPPED('1'),
    /** Still running at the end of the simulation. */
    RUNNING('2'),
    /** Not a run: the wait of a job that never started. */
    WAITED('3');

    private final char digit;

    Kind(char digit) {
      this.digit = digit;
    }
  }

  private record RunOf(int job, long start, long end) {}

  private final List<JobResult> jobs;
  private final long from;

  /** The jobs that were submitted, in the order of their submission. */
  private final int[] order;

  /** The position of each job in {@link #order}. */
  private final int[] position;

  /** When each of {@link #order} was submitted, in the first simulation in which it was. */
  private final long[] submitted;

  private Timeline(List<SimulationResult> results) {
    this.jobs = results.get(0).jobs();
    this.from = results.get(0).startTime().toEpochMilli();
    long[] times = new long[jobs.size()];
    Arrays.fill(times, NEVER);
    for (SimulationResult result : Lists.reverse(results)) {
      List<JobResult> ofResult = result.jobs();
      for (int i = 0; i < times.length; i++) {
        long before = times[i];
        times[i] = ofResult.get(i).submitted().map(Instant::toEpochMilli).orElse(before);
      }
    }
    this.order = IntStream.range(0, times.length)
        .filter(i -> times[i] != NEVER)
        .boxed()
        .sorted(Comparator.comparingLong(i -> times[i]))
        .mapToInt(Integer::intValue)
        .toArray();
    this.submitted = IntStream.of(order).mapToLong(i -> times[i]).toArray();
    this.position = new int[times.length];
    for (int i = 0; i < order.length; i++) {
      position[order[i]] = i;
    }
  }

  /**
   * {@return the jobs of simulations of the same trace}
   *
   * @param titles what to call the simulations
   * @param results the simulations
   */
  static ObjectNode of(List<String> titles, List<SimulationResult> results) {
    Timeline timeline = new Timeline(results);
    ObjectNode json = MAPPER.createObjectNode();
    List<List<RunOf>> runs = results.stream().map(timeline::runs).toList();
    long unit = timeline.unit(runs);
    timeline.writeJobs(json.put("unit", unit).put("from", timeline.from), unit);
    ArrayNode array = json.putArray("runs");
    for (int i = 0; i < results.size(); i++) {
      ObjectNode added = array.addObject().put("title", titles.get(i));
      timeline.writeRuns(added, results.get(i), runs.get(i), unit);
    }
    return json;
  }

  /** {@return the runs by job; the runs of a job in the order of time} */
  private List<RunOf> runs(SimulationResult result) {
    ImmutableList.Builder<RunOf> runs = ImmutableList.builder();
    result.forEachRun((job, start, end) -> runs.add(new RunOf(position[job], start, end)));
    List<JobResult> ofResult = result.jobs();
    for (int i = 0; i < order.length; i++) {
      JobResult job = ofResult.get(order[i]);
      if (job.starts() == 0 && job.submitted().isPresent()) {
        long since = job.submitted().get().toEpochMilli();
        runs.add(new RunOf(i, since, since + job.waited().toMillis()));
      }
    }
    return runs.build().stream()
        .sorted(Comparator.comparingInt(RunOf::job).thenComparingLong(RunOf::start))
        .toList();
  }

  /**
   * {@return a second if all times are whole seconds, as the times of logs are; else a millisecond}
   */
  private long unit(List<List<RunOf>> runs) {
    boolean seconds = LongStream.of(submitted).allMatch(this::isSecond)
        && runs.stream()
            .flatMap(List::stream)
            .allMatch(run -> isSecond(run.start) && isSecond(run.end));
    return seconds ? 1000 : 1;
  }

  private boolean isSecond(long millis) {
    return (millis - from) % 1000 == 0;
  }

  private void writeJobs(ObjectNode json, long unit) {
    StringBuilder names = new StringBuilder();
    ArrayNode submit = MAPPER.createArrayNode();
    String lastName = "";
    long last = from;
    for (int i = 0; i < order.length; i++) {
      String name = jobs.get(order[i]).job().workload().name();
      int shared = Math.min(MAX_SHARED, Strings.commonPrefix(lastName, name).length());
      names.append(Character.forDigit(shared, Character.MAX_RADIX));
      names.append(name, shared, name.length()).append('\n');
      lastName = name;
      submit.add((submitted[i] - last) / unit);
      last = submitted[i];
    }
    json.put("names", names.toString()).set("submit", submit);
    writeLabels(
        json,
        "queue",
        IntStream.of(order)
            .mapToObj(i -> jobs.get(i).clusterQueue().orElse("–"))
            .toList());
    writeLabels(
        json,
        "user",
        IntStream.of(order).mapToObj(i -> jobs.get(i).job().user().orElse("–")).toList());
  }

  private static void writeLabels(ObjectNode json, String label, List<String> values) {
    Multiset<String> counts = HashMultiset.create(values);
    ArrayNode names = json.putArray(label + "s");
    Map<String, Integer> positions = new HashMap<>();
    counts.entrySet().stream()
        .sorted(Comparator.<Multiset.Entry<String>>comparingInt(each -> -each.getCount())
            .thenComparing(Multiset.Entry::getElement))
        .forEach(each -> {
          positions.put(each.getElement(), positions.size());
          names.add(each.getElement());
        });
    ArrayNode of = json.putArray(label);
    values.forEach(value -> of.add(positions.getOrDefault(value, 0)));
  }

  private void writeRuns(ObjectNode json, SimulationResult result, List<RunOf> runs, long unit) {
    ArrayNode job = json.putArray("job");
    ArrayNode start = json.putArray("start");
    ArrayNode length = json.putArray("length");
    StringBuilder kinds = new StringBuilder(runs.size());
    List<JobResult> ofResult = result.jobs();
    int last = 0;
    for (int i = 0; i < runs.size(); i++) {
      RunOf run = runs.get(i);
      job.add(run.job - last);
      last = run.job;
      start.add((run.start - submitted[run.job]) / unit);
      length.add((run.end - run.start) / unit);
      boolean isLast = i + 1 == runs.size() || runs.get(i + 1).job != run.job;
      kinds.append(kind(ofResult.get(order[run.job]), run, isLast).digit);
    }
    json.put("kind", kinds.toString());
    long[] later = IntStream.range(0, order.length)
        .mapToLong(i -> ofResult
            .get(order[i])
            .submitted()
            .map(time -> (time.toEpochMilli() - submitted[i]) / unit)
            .orElse(0L))
        .toArray();
    if (LongStream.of(later).anyMatch(each -> each != 0)) {
      ArrayNode array = json.putArray("later");
      LongStream.of(later).forEach(array::add);
    }
  }

  private static Kind kind(JobResult job, RunOf run, boolean isLast) {
    if (job.starts() == 0) {
      return Kind.WAITED;
    }
    if (!isLast) {
      return Kind.STOPPED;
    }
    return switch (job.outcome()) {
      case RUNNING -> Kind.RUNNING;
      case WAITING -> Kind.STOPPED;
      default ->
        job.ended().filter(end -> end.toEpochMilli() == run.end).isPresent()
            ? Kind.ENDED
            : Kind.STOPPED;
    };
  }
}
