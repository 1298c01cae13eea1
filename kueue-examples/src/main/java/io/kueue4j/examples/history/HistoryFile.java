package io.kueue4j.examples.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/** Opens histories: plain, gzip or the first file of a zip archive, by their first bytes. */
public final class HistoryFile {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int HEAD_BYTES = 4096;

  private HistoryFile() {}

  /**
   * {@return the history in a file}
   *
   * @param file the file
   * @param format its format; empty to find it out
   * @param resource the resource that a processor of SWF stands for
   * @param limit the largest number of jobs
   * @throws InputException if the file cannot be read, or has no usable job
   */
  public static History read(
      InputFile file, Optional<HistoryFormat> format, String resource, int limit) {
    try (InputStream stream = file.open();
        BufferedInputStream content = new BufferedInputStream(decompressed(stream), BUFFER_BYTES)) {
      String head = head(content);
      if (head.isEmpty()) {
        throw new InputException(file + ": the file is empty; expected jobs");
      }
      String source = file.toString();
      History history = switch (format.orElseGet(() -> HistoryFormat.of(head))) {
        case SWF -> SwfReader.read(source, new ByteLines(content), resource, limit);
        case JSONL -> JsonLinesReader.read(source, new ByteLines(content), limit);
      };
      if (history.jobs().isEmpty()) {
        throw new InputException(file + ": no usable job"
            + history.lines().badMessages().stream()
                .findFirst()
                .map(why -> "; " + why)
                .orElse(""));
      }
      return history;
    } catch (ZipException e) {
      throw new InputException(file + ": the compressed file is damaged: " + e.getMessage(), e);
    } catch (IOException e) {
      throw UnreadableFiles.failure(file, e);
    }
  }

  private static InputStream decompressed(InputStream stream) throws IOException {
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
      ZipEntry entry = archive.getNextEntry();
      while (entry != null && entry.isDirectory()) {
        entry = archive.getNextEntry();
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
