package io.kueue4j.examples.story;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ObjectBinder;
import io.kueue4j.k8s.internal.yaml.YamlDocument;
import io.kueue4j.k8s.internal.yaml.YamlField;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlReader;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Writes into the text of a scenario what happened, in place of what was expected. The rest of the
 * text stays as it is, to the byte.
 */
public final class StoryUpdate {
  private static final CharMatcher SPACE = CharMatcher.is(' ');
  private static final DumpSettings DUMP =
      DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();

  private StoryUpdate() {}

  /**
   * {@return the text of a scenario with what happened}
   *
   * @throws InputException if {@code expect} of a step does not stand on lines of its own
   */
  public static String text(StoryResult result) {
    Story story = result.story();
    // With their line feeds, so that joined they are the text.
    List<String> lines = new ArrayList<>(Splitter.onPattern("(?<=\n)").splitToList(story.text()));
    for (int i = story.steps().size() - 1; i >= 0; i--) {
      Map<String, Object> happened = result.happened().get(i);
      if (happened != null) {
        replace(lines, story.steps().get(i).expect().orElseThrow(), happened);
      }
    }
    String text = String.join("", lines);
    if (!content(story, text).equals(Optional.of(expected(result)))) {
      throw new InputException(story.file() + ": expect cannot be rewritten; expected it, and what"
          + " stands in it, on lines of their own");
    }
    return text;
  }

  private static void replace(List<String> lines, YamlField expect, Map<String, Object> happened) {
    int first = expect.line() - 1;
    int end = first + 1;
    for (int i = end; i < lines.size() && isWithin(lines.get(i), expect.column()); i++) {
      if (!isBlankOrComment(lines.get(i))) {
        end = i + 1;
      }
    }
    String line = lines.get(first);
    String ending = line.endsWith("\r\n") ? "\r\n" : "\n";
    String key = line.substring(0, line.indexOf(':', expect.column() - 1) + 1);
    String rest = line.substring(key.length()).strip();
    String indent = " ".repeat(expect.column() + 1);
    List<String> written = new ArrayList<>();
    written.add(
        key + (rest.startsWith("#") ? line.substring(key.length()).stripTrailing() : "") + ending);
    new Dump(DUMP)
        .dumpToString(happened)
        .lines()
        .forEach(each -> written.add(indent + each + ending));
    lines.subList(first, end).clear();
    lines.addAll(first, written);
  }

  /** {@return whether a line belongs to a field that begins in a column} */
  private static boolean isWithin(String line, int column) {
    return isBlankOrComment(line) || SPACE.negate().indexIn(line) >= column;
  }

  private static boolean isBlankOrComment(String line) {
    return line.isBlank() || line.strip().startsWith("#");
  }

  /** {@return the content of the file as it was, but with what happened} */
  private static Map<String, Object> expected(StoryResult result) {
    Map<String, Object> content =
        new LinkedHashMap<>(content(result.story(), result.story().text()).orElseThrow());
    List<@Nullable Object> steps =
        new ArrayList<>((List<?>) content.getOrDefault("steps", List.of()));
    result.happened().forEach((index, happened) -> {
      Map<Object, @Nullable Object> step = new LinkedHashMap<>((Map<?, ?>) steps.get(index));
      step.put("expect", happened);
      steps.set(index, step);
    });
    content.put("steps", steps);
    return content;
  }

  /** {@return the content of a text, empty if it is no longer YAML} */
  @SuppressWarnings("unchecked") // the form of any mapping
  private static Optional<Map<String, Object>> content(Story story, String text) {
    String source = story.file().toString();
    try {
      return YamlReader.read(source, text).stream()
          .map(YamlDocument::root)
          .filter(YamlMapping.class::isInstance)
          .findFirst()
          .flatMap(root -> ObjectBinder.bind(root, Map.class, "", new Issues(source, 1)))
          .map(content -> (Map<String, Object>) content);
    } catch (ManifestException e) {
      return Optional.empty();
    }
  }
}
