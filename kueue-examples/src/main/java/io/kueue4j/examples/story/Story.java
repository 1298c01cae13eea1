package io.kueue4j.examples.story;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.PodStops;
import io.kueue4j.examples.simulation.TextFiles;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A scenario: what is there, what happens, and what is expected after each step.
 *
 * <pre>{@code
 * for (Path file : StoryFiles.find(folder)) {
 *   StoryResult result = StoryRun.play(Story.read(file, notes::add), settings);
 * }
 * }</pre>
 *
 * @param file the file that it was read from
 * @param text the text of the file
 * @param name the name
 * @param line the line of the name
 * @param given what is there before the first step
 * @param start the time before the first step
 * @param stops when evicted jobs stop
 * @param tpuSlices whether TPU chips are given as slices
 * @param steps the steps
 */
public record Story(
    Path file,
    String text,
    String name,
    int line,
    Manifests given,
    Instant start,
    PodStops stops,
    boolean tpuSlices,
    ImmutableList<StoryStep> steps) {
  /**
   * Reads a scenario, and the manifests that it names.
   *
   * @param notes receives the notes on these manifests, such as unknown fields
   * @throws io.kueue4j.examples.simulation.InputException if a file cannot be read or understood;
   *     says every place
   */
  public static Story read(Path file, Consumer<ManifestIssue> notes) {
    return new StoryReader(file, notes).read(TextFiles.read(InputFile.of(file)));
  }
}
