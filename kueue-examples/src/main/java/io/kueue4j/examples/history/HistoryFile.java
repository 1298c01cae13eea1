package io.kueue4j.examples.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.UnreadableFiles;
import io.kueue4j.examples.trace.ArrivalTrace;
import io.kueue4j.examples.trace.PublishedTraces;
import io.kueue4j.examples.trace.TraceFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** Opens histories: plain, gzip or a zip archive of one file, by their first bytes. */
public final class HistoryFile {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int HEAD_BYTES = 4096;
  private static final byte[] BYTE_ORDER_MARK = "\uFEFF".getBytes(UTF_8);

  private HistoryFile() {}

  /**
   * How a history is read.
   *
   * @param format the format of the file; empty to find it out
   * @param resource the resource that a processor of SWF and {@code sacct} stands for
   * @param nodes the file with the nodes of a history of pods
   * @param limit the largest number of jobs
   * @param minDuration jobs that ran for less are left out
   * @param exactEstimates whether users are to know how long their jobs run
   * @param covered the resources that ClusterQueues have quota for; empty if that is not known
   */
  public record Options(
      Optional<HistoryFormat> format,
      String resource,
      Optional<InputFile> nodes,
      int limit,
      Duration minDuration,
      boolean exactEstimates,
      Optional<ImmutableSet<String>> covered) {
    /** Creates options for unknown ClusterQueues. */
    public Options(
        Optional<HistoryFormat> format, String resource, Optional<InputFile> nodes, int limit) {
      this(format, resource, nodes, limit, Duration.ZERO, false, Optional.empty());
    }

    /** {@return the same options for ClusterQueues with quota for these resources} */
    public Options withCovered(ImmutableSet<String> resources) {
      return new Options(
          format, resource, nodes, limit, minDuration, exactEstimates, Optional.of(resources));
    }

    /** {@return the same options without jobs that ran for less than a time} */
    public Options withMinDuration(Duration duration) {
      return new Options(format, resource, nodes, limit, duration, exactEstimates, covered);
    }

    /** {@return the same options for users who know how long their jobs run, or do not} */
    public Options withExactEstimates(boolean exact) {
      return new Options(format, resource, nodes, limit, minDuration, exact, covered);
    }

    /**
     * {@return whether jobs request a resource that their history knows} What has a domain in its
     * name, as accelerators have, counts always; others do if ClusterQueues have quota for them, or
     * if that is not known, processors alone.
     */
    boolean counts(String name) {
      return name.indexOf('/') >= 0
          || covered.map(names -> names.contains(name)).orElse(name.equals(ResourceNames.CPU));
    }
  }

  /**
   * {@return the history in a file, or the history of the published configuration with its name}
   *
   * @param file the file
   * @param options how it is read
   * @throws InputException if the file cannot be read, or has no usable job
   */
  public static History read(InputFile file, Options options) {
    History all = readAll(file, options);
    History history = all.withoutShorter(options.minDuration().toMillis());
    int shorter = all.jobs().size() - history.jobs().size();
    String reason =
        shorter + (shorter == 1 ? " job" : " jobs") + " ran for less than " + options.minDuration();
    if (history.jobs().isEmpty()) {
      throw new InputException(file + ": no usable job; " + reason);
    }
    if (shorter > 0) {
      history.lines().jobsLeftOut(reason);
    }
    return options.exactEstimates() ? history.withExactEstimates() : history;
  }

  private static History readAll(InputFile file, Options options) {
    Optional<PublishedTraces> published = PublishedTraces.named(file.toString());
    if (published.isPresent() && file.path().filter(Files::exists).isEmpty()) {
      return GeneratedHistory.of(file.toString(), published.get().trace(), options.limit());
    }
    List<ConfigObject> nodes = options.nodes().map(HistoryFile::nodes).orElse(ImmutableList.of());
    return open(file, content -> {
      String head = head(content);
      if (head.isEmpty()) {
        throw new InputException(file + ": the file is empty; expected jobs");
      }
      if (head.indexOf('\0') >= 0) {
        throw new InputException(file + ": not UTF-8; is this a text file?");
      }
      HistoryFormat format = options.format().orElseGet(() -> HistoryFormat.of(head));
      if (options.nodes().isPresent() && format != HistoryFormat.OPENB) {
        throw new InputException("--nodes is for histories of the format openb; " + file
            + " has the format " + format + "; name nodes by --config");
      }
      try {
        return checked(file, read(file, content, head, format, nodes, options));
      } catch (InputException e) {
        if (options.format().isPresent()) {
          throw e;
        }
        throw new InputException(
            e.getMessage() + "; by its first line it was taken for the format " + format
                + ", --format names another",
            e);
      }
    });
  }

  private static History read(
      InputFile file,
      InputStream content,
      String head,
      HistoryFormat format,
      List<ConfigObject> nodes,
      Options options)
      throws IOException {
    String source = file.toString();
    ByteLines lines = new ByteLines(content);
    return switch (format) {
      case SWF -> SwfReader.read(source, lines, options);
      case JSONL -> JsonLinesReader.read(source, lines, options.limit());
      case SACCT -> SacctReader.read(source, lines, options);
      case PROMETHEUS -> PrometheusReader.read(source, content, options);
      case OPENB -> OpenbReader.read(source, lines, nodes, options.limit());
      case MURI -> DeepLearningReader.read(source, lines, options.limit());
      case GENERATOR ->
        GeneratedHistory.of(
            source,
            ArrivalTrace.of(
                TraceFile.read(file, new String(content.readAllBytes(), UTF_8)).configuration()),
            options.limit());
      case WORKLOADS ->
        WorkloadsReader.read(source, head.startsWith("{"), content, options.limit());
    };
  }

  private static History checked(InputFile file, History history) {
    if (history.jobs().isEmpty()) {
      throw new InputException(file + ": no usable job"
          + Stream.of(history.lines().badMessages(), history.lines().leftOutMessages())
              .flatMap(List::stream)
              .findFirst()
              .map(why -> "; " + why)
              .orElse(""));
    }
    return history;
  }

  private static List<ConfigObject> nodes(InputFile file) {
    return open(file, content -> OpenbReader.readNodes(file.toString(), new ByteLines(content)));
  }

  private interface Content<T> {
    T read(BufferedInputStream stream) throws IOException;
  }

  private static <T> T open(InputFile file, Content<T> content) {
    try (InputStream stream = file.open();
        InputStream decompressed = decompressed(file, stream);
        BufferedInputStream plain = new BufferedInputStream(decompressed, BUFFER_BYTES)) {
      skipByteOrderMark(plain);
      return only(file, decompressed, () -> content.read(plain));
    } catch (ZipException e) {
      throw new InputException(file + ": the compressed file is damaged: " + e.getMessage(), e);
    } catch (IOException e) {
      throw UnreadableFiles.failure(file, e);
    }
  }

  private static void skipByteOrderMark(BufferedInputStream stream) throws IOException {
    stream.mark(BYTE_ORDER_MARK.length);
    if (!Arrays.equals(stream.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
      stream.reset();
    }
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  /**
   * {@return what was read of a file}
   *
   * @throws InputException if it is an archive with a second file: which one is meant is unknown
   */
  private static <T> T only(InputFile file, InputStream stream, Reading<T> reading)
      throws IOException {
    Optional<InputException> unusable = Optional.empty();
    Optional<T> read = Optional.empty();
    try {
      read = Optional.of(reading.read());
    } catch (InputException e) {
      unusable = Optional.of(e);
    }
    ZipEntry second = stream instanceof ZipInputStream archive ? nextFile(archive) : null;
    if (second != null) {
      throw new InputException(file + ": the archive has several files, " + second.getName()
          + " among them; expected one");
    }
    return read.orElseThrow(unusable::get);
  }

  /** {@return the next file; null if there is none but folders and what macOS adds} */
  private static @Nullable ZipEntry nextFile(ZipInputStream archive) throws IOException {
    ZipEntry entry = archive.getNextEntry();
    while (entry != null && (entry.isDirectory() || entry.getName().startsWith("__MACOSX/"))) {
      entry = archive.getNextEntry();
    }
    return entry;
  }

  private static InputStream decompressed(InputFile file, InputStream stream) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(stream, BUFFER_BYTES);
    buffered.mark(2);
    int first = buffered.read();
    int second = buffered.read();
    buffered.reset();
    if (first == 0x1f && second == 0x8b) {
      return new GZIPInputStream(buffered, BUFFER_BYTES);
    }
    if (first == 'P' && second == 'K') {
      ZipInputStream archive = new ZipInputStream(buffered);
      if (nextFile(archive) == null) {
        throw new InputException(file + ": the archive has no file, or is damaged");
      }
      return archive;
    }
    return buffered;
  }

  /** {@return the first line that is not blank, without leading blanks} */
  private static String head(BufferedInputStream stream) throws IOException {
    stream.mark(HEAD_BYTES);
    byte[] bytes = stream.readNBytes(HEAD_BYTES);
    stream.reset();
    return Arrays.stream(new String(bytes, UTF_8).split("\n", -1))
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("");
  }
}
