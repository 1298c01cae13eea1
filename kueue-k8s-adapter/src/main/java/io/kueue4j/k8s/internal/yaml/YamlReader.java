package io.kueue4j.k8s.internal.yaml;

import io.kueue4j.k8s.manifest.ManifestException;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads YAML 1.2, which includes JSON, into trees.
 *
 * <p>Size, nesting and the expansion of aliases are limited, so hostile input causes an exception.
 *
 * @since 0.1.0
 */
public final class YamlReader {
  /** The maximum length of a text. */
  public static final int MAX_CHARACTERS = 32 << 20;

  /**
   * The library copies the partial scalar once per buffer, so a small buffer takes quadratic time.
   */
  private static final int MAX_BUFFER = 1 << 20;

  private YamlReader() {}

  /**
   * Reads every document of a text.
   *
   * @param source the name of the text for messages
   * @param text the text
   * @return the documents, including empty ones
   * @throws ManifestException with the first problem if {@code text} is not YAML
   */
  public static List<YamlDocument> read(String source, String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw failure(
          source,
          1,
          TextPosition.START,
          text.length() + " characters; expected at most " + MAX_CHARACTERS + ", split the file");
    }
    LoadSettings settings = LoadSettings.builder()
        .setLabel(source)
        .setCodePointLimit(Integer.MAX_VALUE)
        .setBufferSize(Math.min(text.length() + 1, MAX_BUFFER))
        .build();
    // Not the library's class Parse: its module does not export it.
    YamlComposer composer =
        new YamlComposer(source, new ParserImpl(settings, new StreamReader(settings, text)));
    try {
      return composer.compose();
    } catch (ManifestException e) {
      throw e;
    } catch (MarkedYamlEngineException e) {
      throw failure(source, composer.document(), position(e), message(e));
    } catch (ReaderException e) {
      throw unprintable(source, composer.document(), text);
    } catch (YamlEngineException e) {
      throw failure(
          source, composer.document(), composer.position(), "not YAML: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      // The library does not check escapes such as a backslash with UFFFFFFFF before it converts
      // them.
      String message = "not YAML: an escape behind this place is no character: " + e.getMessage();
      throw failure(source, composer.document(), composer.position(), message);
    }
  }

  private static String message(MarkedYamlEngineException e) {
    String context = e.getContext() == null ? "" : " " + e.getContext();
    String begin = e.getContextMark()
        .map(Mark::getLine)
        .filter(line -> line != position(e).line() - 1)
        .map(line -> " that begins in line " + (line + 1))
        .orElse("");
    return "not YAML: " + e.getProblem() + context + begin;
  }

  private static TextPosition position(MarkedYamlEngineException e) {
    return e.getProblemMark()
        .or(e::getContextMark)
        .map(mark -> new TextPosition(mark.getLine() + 1, mark.getColumn() + 1))
        .orElse(TextPosition.START);
  }

  /**
   * {@return the exception for an unprintable character, whose position the library knows only
   * within its buffer}
   */
  private static ManifestException unprintable(String source, int document, String text) {
    int at = 0;
    while (at < text.length() && StreamReader.isPrintable(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    String character = at == text.length() ? "" : String.format(" U+%04X", text.codePointAt(at));
    return failure(
        source,
        document,
        TextPosition.after(text.substring(0, at)),
        "not YAML: character" + character + " is not allowed; is this a text file?");
  }

  private static ManifestException failure(
      String source, int document, YamlPosition at, String message) {
    Issues issues = new Issues(source, document);
    issues.problem(at, "", message);
    return new ManifestException(issues.problems());
  }
}
