package io.kueue4j.examples.simulation;

import com.google.common.io.CharStreams;
import io.kueue4j.k8s.internal.yaml.YamlReader;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Reads text files of users with bounded memory: a file or line that is longer than the manifest
 * reader accepts is rejected.
 */
public final class TextFiles {
  private static final int MAX_CHARACTERS = YamlReader.MAX_CHARACTERS;
  private static final int BUFFER_BYTES = 1 << 16;

  private TextFiles() {}

  /**
   * {@return the text of {@code file}, which is UTF-8}
   *
   * @throws InputException if the file cannot be read or is too long
   */
  public static String read(InputFile file) {
    try (Reader reader = new Limited(decoded(file.open()), false)) {
      return CharStreams.toString(reader);
    } catch (IOException e) {
      throw UnreadableFiles.failure(file, e);
    }
  }

  /**
   * Opens a file to be read line by line. A file whose name ends in {@code .gz} is decompressed.
   * The reader throws an IOException at a line that is too long; the caller closes it.
   */
  public static BufferedReader lines(Path file) throws IOException {
    InputStream stream = Files.newInputStream(file);
    try {
      InputStream content =
          file.toString().endsWith(".gz") ? new GZIPInputStream(stream, BUFFER_BYTES) : stream;
      return new BufferedReader(new Limited(decoded(content), true));
    } catch (IOException e) {
      stream.close();
      throw e;
    }
  }

  private static Reader decoded(InputStream stream) {
    // Unlike a charset, a decoder rejects malformed bytes.
    return new InputStreamReader(stream, StandardCharsets.UTF_8.newDecoder());
  }

  /** Throws an exception if a text, or one line of it, is too long. */
  private static final class Limited extends FilterReader {
    private final boolean perLine;
    private long line = 1;
    private long characters;

    Limited(Reader reader, boolean perLine) {
      super(reader);
      this.perLine = perLine;
    }

    @Override
    public int read() throws IOException {
      char[] one = new char[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      for (int i = offset; i < offset + count; i++) {
        characters++;
        if (perLine && buffer[i] == '\n') {
          line++;
          characters = 0;
        }
        if (characters > MAX_CHARACTERS) {
          throw new IOException((perLine ? "line " + line + " has" : "the file has") + " more than "
              + MAX_CHARACTERS + " characters; expected fewer");
        }
      }
      return count;
    }
  }
}
