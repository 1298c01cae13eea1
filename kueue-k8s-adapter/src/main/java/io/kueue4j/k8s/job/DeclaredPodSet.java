package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.resource.DnsNames;
import java.util.List;
import java.util.Optional;

/**
 * The paths of a pod set, or of one pod set for each item of a list, in a kind of job without a
 * class of its own.
 *
 * <p>Paths are field names separated by dots, such as {@code spec.worker.template}. Immutable: each
 * method returns a new instance.
 *
 * <pre>{@code
 * DeclaredPodSet.of("worker", "spec.worker.template")
 *     .count("spec.worker.replicas", 1)
 *     .onlyIf("spec.worker");
 * DeclaredPodSet.each("spec.groups", "name", "template").count("replicas", 1).times("hosts", 1);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class DeclaredPodSet {
  private final Optional<RawPath> list;
  private final String name;
  private final RawPath template;
  private final ImmutableList<Factor> factors;
  private final Optional<RawPath> presence;
  private final Optional<JobPodSet.Index> index;

  private record Factor(Optional<RawPath> path, int byDefault) {}

  private DeclaredPodSet(
      Optional<RawPath> list,
      String name,
      RawPath template,
      ImmutableList<Factor> factors,
      Optional<RawPath> presence,
      Optional<JobPodSet.Index> index) {
    this.list = list;
    this.name = name;
    this.template = template;
    this.factors = factors;
    this.presence = presence;
    this.index = index;
  }

  /**
   * {@return a pod set with one pod}
   *
   * @param name the name of the pod set
   * @param template the path of the pod template
   * @throws IllegalArgumentException if the name is not a lower-case DNS label, or the path is
   *     invalid
   */
  public static DeclaredPodSet of(String name, String template) {
    checkArgument(
        DnsNames.isLabel(name),
        "the name of a pod set is \"%s\"; expected a lower-case DNS label of at most 63 characters",
        name);
    return new DeclaredPodSet(
        Optional.empty(),
        name,
        RawPath.of(template),
        ImmutableList.of(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * {@return a pod set with one pod for each item of a list}
   *
   * <p>All other paths of this pod set are relative to the item.
   *
   * @param list the path of the list
   * @param nameField the path, relative to the item, of the name, which is converted to lower case
   * @param template the path, relative to the item, of the pod template
   * @throws IllegalArgumentException if a path is invalid
   */
  public static DeclaredPodSet each(String list, String nameField, String template) {
    RawPath checked = RawPath.of(nameField);
    return new DeclaredPodSet(
        Optional.of(RawPath.of(list)),
        checked.text(),
        RawPath.of(template),
        ImmutableList.of(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * {@return this pod set with a number of pods that is the same in every job}
   *
   * @throws IllegalArgumentException if {@code fixed} is negative
   */
  public DeclaredPodSet count(int fixed) {
    checkCount(fixed);
    return withFactors(ImmutableList.of(new Factor(Optional.empty(), fixed)));
  }

  /**
   * {@return this pod set with the number of pods at {@code path}}
   *
   * @throws IllegalArgumentException if the path is invalid, or {@code byDefault} is negative
   */
  public DeclaredPodSet count(String path, int byDefault) {
    checkCount(byDefault);
    return withFactors(ImmutableList.of(new Factor(Optional.of(RawPath.of(path)), byDefault)));
  }

  /**
   * {@return this pod set with its number of pods multiplied by the number at {@code path}}
   *
   * @throws IllegalArgumentException if the path is invalid, or {@code byDefault} is negative
   */
  public DeclaredPodSet times(String path, int byDefault) {
    checkCount(byDefault);
    return withFactors(ImmutableList.<Factor>builder()
        .addAll(factors)
        .add(new Factor(Optional.of(RawPath.of(path)), byDefault))
        .build());
  }

  /**
   * {@return this pod set, absent from jobs that have nothing at {@code path}}
   *
   * @throws IllegalArgumentException if the path is invalid
   */
  public DeclaredPodSet onlyIf(String path) {
    return new DeclaredPodSet(list, name, template, factors, Optional.of(RawPath.of(path)), index);
  }

  /** {@return this pod set with a pod label that holds the index of each pod} */
  public DeclaredPodSet index(String podLabel) {
    return new DeclaredPodSet(
        list, name, template, factors, presence, Optional.of(JobPodSet.Index.of(podLabel)));
  }

  /** {@return the name; for pod sets from a list, the path of the name} */
  String name() {
    return name;
  }

  boolean isList() {
    return list.isPresent();
  }

  /** {@return the pod sets of a job that this declares; reports problems to {@code fields}} */
  List<PlacedPodSet> read(JobFields fields) {
    return read(fields, RawPath.ROOT);
  }

  /** {@return the pod sets that this declares below {@code root} in a job} */
  List<PlacedPodSet> read(JobFields fields, RawPath root) {
    if (list.isEmpty()) {
      return isPresent(fields, root)
          ? ImmutableList.of(placed(fields, root, name))
          : ImmutableList.of();
    }
    ImmutableList.Builder<PlacedPodSet> placed = ImmutableList.builder();
    RawPath path = root.fields(list.get().text());
    int items = fields.items(path).size();
    for (int i = 0; i < items; i++) {
      RawPath item = path.item(i);
      if (!isPresent(fields, item)) {
        continue;
      }
      RawPath nameField = item.fields(name);
      String given = fields.text(nameField).orElse("");
      if (!fields.isWritten(nameField)) {
        fields.problem(nameField, "missing; expected the name of the group");
      }
      placed.add(placed(fields, item, Ascii.toLowerCase(given)));
    }
    return placed.build();
  }

  private boolean isPresent(JobFields fields, RawPath parent) {
    return presence.isEmpty() || fields.isWritten(parent.fields(presence.get().text()));
  }

  private PlacedPodSet placed(JobFields fields, RawPath parent, String podSet) {
    RawPath path = parent.fields(template.text());
    int count = 1;
    for (Factor factor : factors) {
      RawPath field = factor.path().map(given -> parent.fields(given.text())).orElse(path);
      int number = factor.path().isEmpty()
          ? factor.byDefault()
          : fields.count(field).orElse(factor.byDefault());
      count = fields.product(field, count, number);
    }
    JobPodSet read = JobPodSet.of(podSet, path.text(), fields.template(path), count);
    return new PlacedPodSet(index.map(read::withIndex).orElse(read), InjectionPlace.template(path));
  }

  private DeclaredPodSet withFactors(ImmutableList<Factor> newFactors) {
    return new DeclaredPodSet(list, name, template, newFactors, presence, index);
  }

  private static void checkCount(int count) {
    checkArgument(count >= 0, "the number of pods is %s; expected 0 or more", count);
  }
}
