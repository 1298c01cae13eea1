package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.Multiset;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.kueue.KueueConfiguration;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Prints remarks about usable manifests: warnings, which may count as errors, and advice.
 *
 * <p>Of remarks that differ only in their position, such as an unknown field in each of many jobs,
 * the first few are printed and the rest counted.
 */
final class Notes {
  /** The queue is read from this field, so nothing is lost. */
  private static final String LEGACY_QUEUE_NAME = "metadata.annotations[kueue.x-k8s.io/queue-name]";

  private static final int MAX_ALIKE = 3;
  private static final int MAX_PASSED_OVER = 5;
  private static final Pattern INDEX = Pattern.compile("\\[[0-9]+]");

  private final boolean strict;
  private final PrintWriter err;

  /** The printed remarks, without duplicates, which a file that is given twice would cause. */
  private final Set<ManifestIssue> said = new LinkedHashSet<>();

  private final Set<ManifestIssue> errors = new LinkedHashSet<>();

  /** The number of occurrences of each remark at any position. */
  private final Multiset<String> alike = LinkedHashMultiset.create();

  Notes(boolean strict, PrintWriter err) {
    this.strict = strict;
    this.err = err;
  }

  /**
   * Reads manifests, and adds what there is to note on them.
   *
   * @return the manifests
   */
  Manifests read(List<InputFile> files) {
    return add(ManifestFiles.read(files));
  }

  /**
   * Adds what there is to note on what was read.
   *
   * @return the manifests
   */
  Manifests add(ManifestFiles.Result result) {
    ImmutableList<Path> passedOver = result.passedOver();
    if (!passedOver.isEmpty()) {
      int more = passedOver.size() - MAX_PASSED_OVER;
      err.println("note: passed over, since they hold no Kubernetes object: "
          + Joiner.on(", ").join(Iterables.limit(passedOver, MAX_PASSED_OVER))
          + (more > 0 ? " and " + more + " more" : ""));
    }
    result.manifests().notes().forEach(this::add);
    return result.manifests();
  }

  /** Adds what Kueue's Configuration among manifests, if there is one, has that is passed over. */
  void addConfiguration(Manifests manifests) {
    // What only later versions refuse is reported where the version is known.
    KueueConfiguration.find(manifests.items(), KueueVersion.V0_19)
        .ifPresent(configuration -> configuration.notes().forEach(this::addWarning));
  }

  /** Adds a note of the manifest reader. */
  void add(ManifestIssue note) {
    if (note.field().equals(LEGACY_QUEUE_NAME)) {
      print("note", note);
    } else {
      addWarning(note);
    }
  }

  /** Adds a warning. */
  void addWarning(ManifestIssue warning) {
    if (strict) {
      errors.add(warning);
    } else {
      print("warning", warning);
    }
  }

  private void print(String severity, ManifestIssue issue) {
    if (said.add(issue)) {
      String remark =
          severity + ": " + INDEX.matcher(issue.field()).replaceAll("[]") + ": " + issue.message();
      alike.add(remark);
      if (alike.count(remark) <= MAX_ALIKE) {
        err.println(severity + ": " + issue);
      }
    }
  }

  /**
   * Ends the list of remarks: prints the number of omitted ones.
   *
   * @throws InputException with the warnings, if they count as errors and there are any
   */
  void finish() {
    for (Multiset.Entry<String> remark : alike.entrySet()) {
      int more = remark.getCount() - MAX_ALIKE;
      if (more > 0) {
        err.println(remark.getElement() + " (at " + more + " more " + places(more) + ")");
      }
    }
    alike.clear();
    if (!errors.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(errors));
    }
  }

  private static String places(int count) {
    return count == 1 ? "place" : "places";
  }
}
