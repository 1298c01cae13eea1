package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.MoreFiles;
import io.kueue4j.k8s.internal.yaml.YamlDocument;
import io.kueue4j.k8s.internal.yaml.YamlField;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlReader;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.manifest.ManifestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The manifests in a folder and the folders in it, in the order of their names.
 *
 * <p>Passed over are files without Kubernetes objects, such as the values of a Helm chart: those
 * whose documents have neither a {@code kind} nor {@code metadata}, and the files of kustomize. So
 * a manifest that lacks one of these is an error, and no file is passed over for a slip.
 */
final class ManifestFolder {
  private static final ImmutableSet<String> EXTENSIONS = ImmutableSet.of("yaml", "yml", "json");
  private static final String KUSTOMIZE = "kustomize.config.k8s.io";

  /** A line that only a document with a {@code kind} has. Spares most files a second parsing. */
  private static final Pattern KIND = Pattern.compile("^kind:", Pattern.MULTILINE);

  private final ImmutableList.Builder<Path> files = ImmutableList.builder();
  private final ImmutableList.Builder<Path> passedOver = ImmutableList.builder();

  /** The folders that are being read, without symbolic links: a link may lead back to one. */
  private final Set<Path> open = new HashSet<>();

  private ManifestFolder() {}

  /**
   * Lists a folder.
   *
   * @throws InputException if a folder cannot be read, or if there is no file of the right name
   */
  static ManifestFolder of(Path path) {
    ManifestFolder folder = new ManifestFolder();
    folder.add(path);
    if (folder.files().isEmpty() && folder.passedOver().isEmpty()) {
      throw new InputException(
          path + ": no manifests in this folder; expected files ending in .yaml, .yml or .json");
    }
    return folder;
  }

  /** {@return the files with Kubernetes objects, and those that cannot be read} */
  ImmutableList<Path> files() {
    return files.build();
  }

  /** {@return the files without Kubernetes objects, but no scenarios} */
  ImmutableList<Path> passedOver() {
    return passedOver.build();
  }

  private void add(Path folder) {
    ImmutableList<Path> entries;
    try {
      Path real = folder.toRealPath();
      if (!open.add(real)) {
        return;
      }
      entries = entries(folder);
      entries.forEach(this::addEntry);
      open.remove(real);
    } catch (IOException e) {
      throw UnreadableFiles.failure(folder, e);
    }
  }

  private static ImmutableList<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(entry -> !isHidden(entry)).sorted().collect(toImmutableList());
    }
  }

  private static boolean isHidden(Path entry) {
    return entry.getFileName().toString().startsWith(".");
  }

  private void addEntry(Path entry) {
    if (Files.isDirectory(entry)) {
      add(entry);
    } else if (EXTENSIONS.contains(MoreFiles.getFileExtension(entry)) && !isSpecial(entry)) {
      if (hasObjects(entry)) {
        files.add(entry);
      } else if (!entry.toString().endsWith(ManifestFiles.SCENARIO_SUFFIX)) {
        passedOver.add(entry);
      }
    }
  }

  /** {@return whether it is a pipe or a device, which might never end} */
  private static boolean isSpecial(Path entry) {
    return Files.exists(entry) && !Files.isRegularFile(entry);
  }

  private static boolean hasObjects(Path file) {
    try {
      String text = TextFiles.read(InputFile.of(file));
      return (KIND.matcher(text).find() && !text.contains(KUSTOMIZE))
          || YamlReader.read(file.toString(), text).stream().anyMatch(ManifestFolder::hasObject);
    } catch (InputException | ManifestException e) {
      return true; // The reader of manifests reports the problem.
    }
  }

  private static boolean hasObject(YamlDocument document) {
    return document.root() instanceof YamlMapping mapping
        && (mapping.field("kind").isPresent() || mapping.field("metadata").isPresent())
        && !apiVersion(mapping).startsWith(KUSTOMIZE);
  }

  private static String apiVersion(YamlMapping mapping) {
    return mapping
        .field("apiVersion")
        .map(YamlField::value)
        .flatMap(
            value -> value instanceof YamlScalar scalar ? Optional.of(scalar) : Optional.empty())
        .map(YamlScalar::text)
        .orElse("");
  }
}
