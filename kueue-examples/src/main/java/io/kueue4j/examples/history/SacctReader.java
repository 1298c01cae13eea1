package io.kueue4j.examples.history;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Longs;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import io.kueue4j.examples.simulation.InputException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what Slurm's {@code sacct --parsable2} prints: the jobs of its accounting. A job has one
 * pod on each of its nodes.
 */
final class SacctReader {
  private static final String ID = "JobID";
  private static final String RAW_ID = "JobIDRaw";
  private static final String SUBMIT = "Submit";
  private static final String ELIGIBLE = "Eligible";
  private static final String START = "Start";
  private static final String END = "End";
  private static final String STATE = "State";
  private static final String ALLOCATED = "AllocTRES";
  private static final String REQUESTED = "ReqTRES";
  private static final String ALLOCATED_PROCESSORS = "AllocCPUS";
  private static final String PROCESSORS = "NCPUS";
  private static final String REQUESTED_PROCESSORS = "ReqCPUS";
  private static final String NODES = "NNodes";

  private static final String GPU = "gres/gpu";

  /** The resource that a GPU of Slurm stands for. */
  private static final String GPU_RESOURCE = "nvidia.com/gpu";

  private static final Splitter.MapSplitter RESOURCES =
      Splitter.on(',').omitEmptyStrings().withKeyValueSeparator(Splitter.on('=').limit(2));

  /** An amount, such as 4, 62.50G or 4000M. */
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?)([KMGTP]?)");

  private static final String UNITS = "KMGTP";

  /** A time limit: days, hours, minutes and seconds, of which Slurm prints the last three. */
  private static final Pattern LIMIT =
      Pattern.compile("(?:(\\d{1,6})-)?(\\d{1,6}):(\\d{1,2}):(\\d{1,2})");

  private final HistoryFile.Options options;
  private final CsvLines rows;
  private final String idColumn;
  private final SkippedLines lines = new SkippedLines();
  private final JobList jobs = new JobList(lines);
  private final Map<String, List<PodSet>> podSets = new HashMap<>();

  private SacctReader(String source, ByteLines input, HistoryFile.Options options)
      throws IOException {
    this.options = options;
    this.rows = new CsvLines(source, '|', input, lines, SUBMIT, START, END, STATE);
    this.idColumn = column(source, ID, RAW_ID);
    String unused = column(source, ALLOCATED, REQUESTED, ALLOCATED_PROCESSORS, PROCESSORS);
  }

  /** {@return the first of these columns that there is} */
  private String column(String source, String... names) {
    return Arrays.stream(names)
        .filter(rows::has)
        .findFirst()
        .orElseThrow(() -> new InputException(
            source + ": there is no column " + String.join(" or ", names) + "; expected one"));
  }

  /** {@return whether a file that begins with this line has the format} */
  static boolean isHead(String line) {
    List<String> columns = Splitter.on('|').splitToList(line);
    return columns.size() > 1 && (columns.contains(ID) || columns.contains(RAW_ID));
  }

  /**
   * {@return the history}
   *
   * @param source the name of the file
   * @param input its lines
   * @param options the resource that a processor stands for, the largest number of jobs, and which
   *     resources jobs request
   */
  static History read(String source, ByteLines input, HistoryFile.Options options)
      throws IOException {
    SacctReader reader = new SacctReader(source, input, options);
    while (reader.jobs.size() < options.limit() && reader.rows.next()) {
      try {
        reader.line();
      } catch (BadLineException e) {
        reader.lines.bad(reader.rows.number(), String.valueOf(e.getMessage()));
      }
    }
    return History.ofTimes(source, reader.jobs.finish(), reader.lines);
  }

  private void line() throws BadLineException {
    String id = rows.text(idColumn);
    Optional<Instant> submitted = time(SUBMIT);
    if (id.indexOf('.') >= 0) {
      lines.leftOut(rows.number(), "a step of a job; use sacct -X");
      return;
    }
    if (submitted.isEmpty()) {
      throw new BadLineException("no time in " + SUBMIT);
    }
    Instant queued = time(ELIGIBLE).filter(submitted.get()::isBefore).orElse(submitted.get());
    Optional<Instant> started = time(START);
    Optional<Instant> ended = time(END);
    boolean cancelled = started.isEmpty() && rows.text(STATE).startsWith("CANCELLED");
    if (ended.isEmpty() || (started.isEmpty() && !cancelled)) {
      lines.leftOut(rows.number(), "the job has not run to its end");
      return;
    }
    List<PodSet> pods = pods();
    if (pods.isEmpty()) {
      lines.leftOut(rows.number(), "the job requests nothing that counts");
      return;
    }
    long waited = millis(queued, started.orElse(ended.get()));
    long limit = limit();
    long run =
        started.isPresent() ? millis(started.get(), ended.get()) : limit >= 0 ? limit : waited;
    jobs.add(
        HistoryJob.of(
            name(id),
            new Times(queued.toEpochMilli(), waited, run, limit, 0, cancelled ? waited : -1),
            new Labels(text("User"), text("Account"), text("QOS"), text("Partition")),
            pods),
        rows.number());
  }

  /** {@return the name of a Workload: of {@code 17_4} of an array, and {@code 17+1} of parts} */
  private String name(String id) throws BadLineException {
    String name = "job-" + CharMatcher.anyOf("_+").replaceFrom(id, '-');
    if (!DnsNames.isLabel(name)) {
      throw new BadLineException(idColumn + " is no id of a job, such as 17, 17_4 or 17+1");
    }
    return name;
  }

  private String text(String column) {
    return rows.has(column) ? rows.text(column) : "";
  }

  /** {@return a time, which has no zone unless it is in seconds; empty if it is not known} */
  private Optional<Instant> time(String column) throws BadLineException {
    String text = text(column);
    Long seconds = Longs.tryParse(text);
    if (text.isEmpty() || text.equals("Unknown") || text.equals("None")) {
      return Optional.empty();
    }
    try {
      Instant time = seconds != null
          ? Instant.ofEpochSecond(seconds)
          : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
      if (time.getEpochSecond() >= 0 && time.getEpochSecond() <= History.MAX_EPOCH_SECOND) {
        return Optional.of(time);
      }
    } catch (DateTimeException e) {
      // As bad as a time of another millennium.
    }
    throw new BadLineException(
        column + " is no time such as 2026-01-31T12:00:00, or seconds since 1970");
  }

  private static long millis(Instant from, Instant to) throws BadLineException {
    long millis = Math.max(0, to.toEpochMilli() - from.toEpochMilli());
    if (millis > Times.MAX_SECONDS * 1000) {
      throw new BadLineException("a time of more than a century");
    }
    return millis;
  }

  /** {@return the time limit in milliseconds, -1 if there is none} */
  private long limit() {
    Matcher parts = LIMIT.matcher(text("Timelimit"));
    if (!parts.matches()) {
      return -1;
    }
    long days = parts.group(1) == null ? 0 : Long.parseLong(parts.group(1));
    long hours = days * 24 + Long.parseLong(parts.group(2));
    long minutes = hours * 60 + Long.parseLong(parts.group(3));
    long seconds = minutes * 60 + Long.parseLong(parts.group(4));
    return seconds <= Times.MAX_SECONDS ? seconds * 1000 : -1;
  }

  /** {@return what a job has, otherwise what it requests, otherwise its processors and nodes} */
  private String resources() {
    String tres = first(ALLOCATED, REQUESTED);
    String processors = first(ALLOCATED_PROCESSORS, PROCESSORS, REQUESTED_PROCESSORS);
    if (!tres.isEmpty() || processors.isEmpty()) {
      return tres;
    }
    String nodes = text(NODES);
    return "cpu=" + processors + (nodes.isEmpty() ? "" : ",node=" + nodes);
  }

  /** {@return the text of the first of these columns that has one but 0, otherwise empty} */
  private String first(String... names) {
    return Arrays.stream(names)
        .map(this::text)
        .filter(text -> !text.isEmpty() && !text.equals("0"))
        .findFirst()
        .orElse("");
  }

  private List<PodSet> pods() throws BadLineException {
    String resources = resources();
    List<PodSet> known = podSets.get(resources);
    if (known == null) {
      known = pods(resources);
      podSets.put(resources, known);
    }
    return known;
  }

  private List<PodSet> pods(String resources) throws BadLineException {
    Map<String, String> tres;
    try {
      tres = RESOURCES.split(resources);
    } catch (IllegalArgumentException e) {
      throw new BadLineException(
          "the resources are no list such as cpu=8,gres/gpu=2,mem=64G,node=2");
    }
    Map<String, Long> totals = new TreeMap<>();
    request(totals, options.resource(), amount(tres, "cpu"));
    request(totals, ResourceNames.MEMORY, amount(tres, "mem"));
    request(totals, GPU_RESOURCE, gpus(tres));
    long nodes = Math.max(1, amount(tres, "node"));
    if (totals.isEmpty()) {
      return ImmutableList.of();
    }
    if (nodes > Integer.MAX_VALUE) {
      throw new BadLineException("more than " + Integer.MAX_VALUE + " nodes");
    }
    return podSets(totals, (int) nodes);
  }

  private void request(Map<String, Long> totals, String resource, long amount) {
    if (amount > 0 && options.counts(resource)) {
      totals.put(resource, amount);
    }
  }

  /** {@return the number of GPUs: of all models, or if that is missing, the sum over the models} */
  private static long gpus(Map<String, String> tres) throws BadLineException {
    long sum = amount(tres, GPU);
    if (!tres.containsKey(GPU)) {
      for (String name : tres.keySet()) {
        sum += name.startsWith(GPU + ":") ? amount(tres, name) : 0;
      }
    }
    return sum;
  }

  private static long amount(Map<String, String> tres, String name) throws BadLineException {
    Matcher amount = AMOUNT.matcher(tres.getOrDefault(name, "0"));
    if (!amount.matches()) {
      throw new BadLineException("the amount of " + name + " is no number such as 4 or 62.50G");
    }
    int exponent = amount.group(2).isEmpty() ? 0 : 1 + UNITS.indexOf(amount.group(2));
    BigDecimal value =
        new BigDecimal(amount.group(1)).multiply(BigDecimal.valueOf(1024).pow(exponent));
    if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE / 1000)) > 0) {
      throw new BadLineException("the amount of " + name + " is too large");
    }
    return value.longValue();
  }

  /**
   * {@return pods for the nodes} Slurm says what a job has on all nodes together: if that cannot be
   * divided by their number, the last pod has the rest.
   */
  private static List<PodSet> podSets(Map<String, Long> totals, int nodes) {
    if (totals.values().stream().allMatch(total -> total % nodes == 0)) {
      return ImmutableList.of(pods("main", nodes, totals, total -> total / nodes));
    }
    return ImmutableList.of(
        pods("main", nodes - 1, totals, total -> total / nodes),
        pods("last", 1, totals, total -> total - total / nodes * (nodes - 1)));
  }

  private static PodSet pods(
      String name, int count, Map<String, Long> totals, LongUnaryOperator share) {
    PodSet.Builder pods = PodSet.builder().name(name).count(count);
    totals.forEach((resource, total) ->
        pods.requestAmount(resource, share.applyAsLong(total) * Quantity.quota(resource, "1")));
    return pods.build();
  }
}
