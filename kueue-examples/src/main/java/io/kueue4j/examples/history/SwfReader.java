package io.kueue4j.examples.history;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.math.LongMath;
import com.google.common.primitives.Longs;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Reads the Standard Workload Format, version 2.2, of the Parallel Workloads Archive: header
 * comments that begin with {@code ;}, then 18 numbers per job, separated by blanks, -1 for unknown.
 * Fields that a line lacks are unknown.
 *
 * <p>Lines are parsed in place, since logs have millions of them.
 */
final class SwfReader {
  private static final int FIELDS = 18;
  private static final long UNKNOWN = -1;

  /** The status of a job that was cancelled, before or after it started. */
  private static final int CANCELLED = 5;

  /** The largest number of a header. */
  private static final long MAX_HEADER = History.MAX_EPOCH_SECOND;

  private static final long KB = 1024;
  private static final Splitter WORDS = Splitter.on(CharMatcher.whitespace()).omitEmptyStrings();

  /** Positions of fields, from 0. */
  private static final int ID = 0;

  private static final int SUBMIT = 1;
  private static final int WAIT = 2;
  private static final int RUN = 3;
  private static final int ALLOCATED = 4;
  private static final int USED_MEMORY = 6;
  private static final int REQUESTED = 7;
  private static final int ESTIMATE = 8;
  private static final int REQUESTED_MEMORY = 9;
  private static final int STATUS = 10;
  private static final int USER = 11;
  private static final int GROUP = 12;
  private static final int QUEUE = 14;
  private static final int PARTITION = 15;
  private static final int PRECEDING = 16;
  private static final int THINK = 17;

  private final String source;
  private final String resource;
  private final boolean usesMemory;
  private final SkippedLines lines = new SkippedLines();
  private final JobList jobs = new JobList(lines);
  private final Map<Size, List<PodSet>> podSets = new HashMap<>();
  private final Function<Size, List<PodSet>> podsOfSize = this::pods;
  private final Map<Labels, Labels> labels = new HashMap<>();

  /** Users, groups, queues and partitions as text; many jobs share few of them. */
  private final Map<Long, String> texts = new HashMap<>();

  private final Map<String, String> queues = new LinkedHashMap<>();
  private final Map<String, String> partitions = new LinkedHashMap<>();
  private final long[] fields = new long[FIELDS];
  private Instant start = History.UNKNOWN_START;
  private long processors = UNKNOWN;
  private long nodes = UNKNOWN;

  /** What a job requests: processors, and memory for each in KB, 0 if unknown. */
  private record Size(int processors, long memory) {}

  private SwfReader(String source, HistoryFile.Options options) {
    this.source = source;
    this.resource = options.resource();
    this.usesMemory =
        options.counts(ResourceNames.MEMORY) && !resource.equals(ResourceNames.MEMORY);
  }

  /**
   * {@return the history}
   *
   * @param source the name of the file
   * @param input its lines
   * @param options the resource that a processor stands for, the largest number of jobs, and
   *     whether jobs request memory
   */
  static History read(String source, ByteLines input, HistoryFile.Options options)
      throws IOException {
    SwfReader reader = new SwfReader(source, options);
    while (reader.jobs.size() < options.limit() && input.next()) {
      reader.line(input);
    }
    return reader.history();
  }

  private History history() {
    long total = processors > 0 ? processors : nodes;
    return new History(
        source,
        start,
        jobs.finish(),
        new History.Machine(
            total > 0 ? OptionalLong.of(total) : OptionalLong.empty(),
            ImmutableMap.copyOf(queues),
            ImmutableMap.copyOf(partitions),
            ImmutableList.of()),
        lines);
  }

  private void line(ByteLines input) {
    byte[] buffer = input.buffer();
    int at = input.from();
    while (at < input.to() && isBlank(buffer[at])) {
      at++;
    }
    if (at == input.to()) {
      return;
    }
    if (buffer[at] == ';') {
      header(input.text(), input.number());
      return;
    }
    int count = parse(buffer, at, input.to());
    if (count < 0) {
      lines.bad(input.number(), "expected numbers, separated by blanks");
    } else if (count > FIELDS) {
      lines.bad(input.number(), "more than " + FIELDS + " fields");
    } else {
      if (count < FIELDS) {
        lines.warn(input.number(), "fewer than " + FIELDS + " fields; the others are unknown");
        Arrays.fill(fields, count, FIELDS, UNKNOWN);
      }
      job(input.number());
    }
  }

  private static boolean isBlank(byte character) {
    return character == ' ' || character == '\t';
  }

  /**
   * Reads numbers into {@link #fields}; fractions are dropped.
   *
   * @return how many there are, -1 if something else is among them
   */
  private int parse(byte[] buffer, int from, int to) {
    int at = from;
    int count = 0;
    while (at < to) {
      boolean negative = buffer[at] == '-';
      at += negative ? 1 : 0;
      int first = at;
      long value = 0;
      while (at < to && buffer[at] >= '0' && buffer[at] <= '9') {
        value = value * 10 + (buffer[at] - '0');
        at++;
      }
      if (at == first || at - first > 18) {
        return -1;
      }
      if (at < to && buffer[at] == '.') {
        at++;
        while (at < to && buffer[at] >= '0' && buffer[at] <= '9') {
          at++;
        }
      }
      if (at < to && !isBlank(buffer[at])) {
        return -1;
      }
      if (count < FIELDS) {
        fields[count] = negative ? -value : value;
      }
      count++;
      while (at < to && isBlank(buffer[at])) {
        at++;
      }
    }
    return count;
  }

  private void job(long line) {
    long status = fields[STATUS];
    if (status >= 2 && status <= 4) {
      lines.leftOut(line, "a part of a job, which has a line for the whole as well");
      return;
    }
    boolean cancelled = status == CANCELLED && fields[RUN] <= 0;
    if (cancelled && fields[WAIT] < 0) {
      lines.leftOut(line, "the job was cancelled before it started, at an unknown time");
      return;
    }
    long size = fields[REQUESTED] > 0 ? fields[REQUESTED] : fields[ALLOCATED];
    String problem = problem(size, cancelled);
    if (!problem.isEmpty()) {
      lines.bad(line, problem);
      return;
    }
    jobs.add(
        new HistoryJob(
            name(fields[ID]),
            times(cancelled),
            labels.computeIfAbsent(
                new Labels(text(USER), text(GROUP), text(QUEUE), text(PARTITION)), given -> given),
            podSets.computeIfAbsent(new Size((int) size, memory()), podsOfSize),
            0,
            preceding(line),
            Optional.empty(),
            Optional.empty()),
        line);
  }

  /**
   * {@return the times of the job} One that was cancelled before it started would have run as long
   * as its user expected; if that is unknown, until it is cancelled.
   */
  private Times times(boolean cancelled) {
    long wait = millis(fields[WAIT]);
    long estimate = millis(fields[ESTIMATE]);
    return new Times(
        millis(fields[SUBMIT]),
        wait,
        !cancelled ? millis(fields[RUN]) : estimate >= 0 ? estimate : wait,
        estimate,
        Math.max(0, millis(fields[THINK])),
        cancelled ? wait : UNKNOWN);
  }

  /** {@return the preceding job; only lower numbers count, so that there are no circles} */
  private ImmutableList<String> preceding(long line) {
    long before = fields[PRECEDING];
    if (before <= 0) {
      return ImmutableList.of();
    }
    if (before >= fields[ID]) {
      lines.warn(line, "the preceding job has no lower number; ignored");
      return ImmutableList.of();
    }
    return ImmutableList.of(name(before));
  }

  private String problem(long size, boolean cancelled) {
    if (fields[ID] < 0) {
      return "no job number";
    }
    if (fields[SUBMIT] < 0) {
      return "no submit time";
    }
    if (fields[RUN] < 0 && !cancelled) {
      return "no run time";
    }
    for (int field : new int[] {SUBMIT, WAIT, RUN, ESTIMATE, THINK}) {
      if (fields[field] > Times.MAX_SECONDS) {
        return "a time of more than a century";
      }
    }
    return size > 0 && size <= Integer.MAX_VALUE ? "" : "no number of processors";
  }

  /** {@return the memory for each processor in KB: as requested, else as used; 0 if unknown} */
  private long memory() {
    if (!usesMemory) {
      return 0;
    }
    long memory = fields[REQUESTED_MEMORY] > 0 ? fields[REQUESTED_MEMORY] : fields[USED_MEMORY];
    return Math.max(0, memory);
  }

  private List<PodSet> pods(Size size) {
    PodSet.Builder pods = PodSet.builder().count(size.processors()).request(resource, "1");
    if (size.memory() > 0) {
      pods.requestAmount(ResourceNames.MEMORY, LongMath.saturatedMultiply(size.memory(), KB));
    }
    return ImmutableList.of(pods.build());
  }

  private static String name(long number) {
    return "job-" + number;
  }

  private static long millis(long seconds) {
    return seconds < 0 ? UNKNOWN : seconds * 1000;
  }

  private String text(int field) {
    return fields[field] < 0 ? "" : texts.computeIfAbsent(fields[field], String::valueOf);
  }

  /** Reads a header field, {@code ; Name: value}. */
  private void header(String line, long number) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      return;
    }
    String name = CharMatcher.is(';').trimLeadingFrom(line.substring(0, colon)).strip();
    List<String> words = WORDS.splitToList(line.substring(colon + 1));
    if (words.isEmpty()) {
      return;
    }
    switch (name) {
      case "UnixStartTime" ->
        start = header(name, words.get(0), number)
            .filter(seconds -> seconds > 0)
            .map(Instant::ofEpochSecond)
            .orElse(start);
      case "MaxProcs" -> processors = header(name, words.get(0), number).orElse(UNKNOWN);
      case "MaxNodes" -> nodes = header(name, words.get(0), number).orElse(UNKNOWN);
      case "Queue" -> named(words, queues);
      case "Partition" -> named(words, partitions);
      default -> {}
    }
  }

  /** {@return the number, empty if it is unknown or none} */
  private Optional<Long> header(String name, String text, long line) {
    Optional<Long> value =
        Optional.ofNullable(Longs.tryParse(text)).filter(number -> number <= MAX_HEADER);
    if (value.filter(number -> number >= UNKNOWN).isEmpty()) {
      lines.warn(
          line,
          name + " is '" + text + "', expected a number from 0 to " + MAX_HEADER
              + ", or -1; taken for unknown");
    }
    return value.filter(number -> number >= 0);
  }

  private static long number(String text) {
    Long number = Longs.tryParse(text);
    return number == null ? UNKNOWN : number;
  }

  /** Reads {@code n name}; further words are a description. */
  private static void named(List<String> words, Map<String, String> names) {
    if (words.size() > 1 && number(words.get(0)) >= 0) {
      names.put(words.get(0), CharMatcher.anyOf(",;").trimTrailingFrom(words.get(1)));
    }
  }
}
