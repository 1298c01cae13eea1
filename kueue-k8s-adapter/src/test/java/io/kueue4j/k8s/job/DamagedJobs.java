package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multimaps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of every kind with as many fields as possible, and copies with one damaged field: null,
 * missing, a list of null, or of another form.
 */
final class DamagedJobs {
  /** Values of other forms, one of which is used for each field. */
  private static final ImmutableList<Object> FORMS =
      ImmutableList.of(List.of(), Map.of(), "x", -7, true, nullField());

  private static final Map<String, Object> FULL =
      RawTree.mapping(Jobs.read("full.yaml", Object.class).get(0));
  private static final ImmutableMap<String, Object> TREES = trees();

  private static final String TEMPLATE = "emplate.";

  private static final ImmutableSet<String> CHOSEN = chosenPlaces();

  private static final boolean AT_LENGTH = Integer.getInteger("kueue4j.tries", 1) > 1;

  private DamagedJobs() {}

  /** The kinds, including TrainJobs and their runtime. */
  static ImmutableList<String> kinds() {
    return TREES.keySet().asList();
  }

  /** A job of a kind with every field that this library reads, as a tree. */
  static Object tree(String kind) {
    return Objects.requireNonNull(RawTree.copy(TREES.get(kind)));
  }

  /** Calls {@code action} with the tree and each of its fields null, or a list with a null. */
  static void forEachNull(Object tree, BiConsumer<String, Object> action) {
    for (RawPath path : chosen(tree)) {
      action.accept(path + ": null", RawTree.with(tree, path, null));
      action.accept(path + ": [null]", RawTree.with(tree, path, Collections.singletonList(null)));
    }
  }

  /** Calls {@code action} with the tree and each of its fields missing, or of another form. */
  static void forEachOtherForm(Object tree, BiConsumer<String, Object> action) {
    for (RawPath path : chosen(tree)) {
      Object form = FORMS.get(Math.floorMod(path.text().hashCode(), FORMS.size()));
      action.accept(path + " missing", RawTree.without(tree, path));
      action.accept(path + ": " + form, RawTree.with(tree, path, form));
    }
  }

  private static Map<String, Object> nullField() {
    Map<String, Object> field = new LinkedHashMap<>();
    field.put("name", null);
    return field;
  }

  /** {@return the path of a field, from the innermost template on if the field is in one} */
  private static String field(RawPath path) {
    int template = path.text().lastIndexOf(TEMPLATE);
    return template < 0 ? path.text() : path.text().substring(template + TEMPLATE.length());
  }

  private static String place(String kind, RawPath path) {
    return kind + " " + path.text();
  }

  /** {@return two of the places of each field, or the only one, by kind and path} */
  private static ImmutableSet<String> chosenPlaces() {
    ListMultimap<String, String> places =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    TREES.forEach((kind, tree) ->
        paths(RawPath.ROOT, tree).forEach(path -> places.put(field(path), place(kind, path))));
    ImmutableSet.Builder<String> chosen = ImmutableSet.builder();
    Multimaps.asMap(places).forEach((field, all) -> {
      int first = Math.floorMod(field.hashCode(), all.size());
      chosen.add(all.get(first), all.get((first + all.size() / 2) % all.size()));
    });
    return chosen.build();
  }

  /**
   * The paths of the fields to damage. The same code reads a field that many kinds have, so it is
   * damaged in two of them, unless tests run at length.
   */
  private static List<RawPath> chosen(Object tree) {
    String kind = String.valueOf(RawTree.mapping(tree).get("kind"));
    return paths(RawPath.ROOT, tree).stream()
        .filter(path -> AT_LENGTH || CHOSEN.contains(place(kind, path)))
        .toList();
  }

  /** The paths of all fields and items, except those that identify the kind of the job. */
  private static List<RawPath> paths(RawPath path, @Nullable Object node) {
    List<RawPath> paths = new ArrayList<>();
    if (node instanceof Map<?, ?>) {
      RawTree.mapping(node).forEach((name, value) -> {
        if (!path.isRoot() || !(name.equals("kind") || name.equals("apiVersion"))) {
          paths.add(path.field(name));
          paths.addAll(paths(path.field(name), value));
        }
      });
    } else if (node instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        paths.add(path.item(i));
        paths.addAll(paths(path.item(i), items.get(i)));
      }
    }
    return paths;
  }

  private static ImmutableMap<String, Object> trees() {
    List<Object> jobs = new ArrayList<>((List<?>) FULL.get("kinds"));
    jobs.addAll(Jobs.read("kinds.yaml", Object.class));
    jobs.addAll(Jobs.read("serving.yaml", Object.class));
    jobs.add(Jobs.read("training-runtimes.yaml", Object.class).get(0));
    Map<String, Object> trees = new LinkedHashMap<>();
    for (Object job : jobs) {
      Map<String, Object> full = RawTree.mapping(new Filling().filled("", job));
      full.put("metadata", merged(full.get("metadata"), FULL.get("metadata")));
      full.put("status", FULL.get("status"));
      trees.putIfAbsent((String) full.get("kind"), full);
    }
    return ImmutableMap.copyOf(trees);
  }

  /** Fills the first pod of a job, and its template. */
  private static final class Filling {
    private boolean filled;

    Object filled(String name, Object node) {
      if (node instanceof List<?> items) {
        return items.stream().map(item -> filled(name, item)).toList();
      }
      if (!(node instanceof Map<?, ?>)) {
        return node;
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      boolean before = filled;
      RawTree.mapping(node).forEach((key, value) -> fields.put(key, filled(key, value)));
      if (filled) {
        boolean template = !before
            && fields.get("spec") instanceof Map<?, ?> spec
            && spec.containsKey("containers")
            && !fields.containsKey("kind");
        return template
            ? with(fields, "metadata", Objects.requireNonNull(FULL.get("template")))
            : fields;
      }
      if (fields.get("containers") instanceof List<?> containers) {
        filled = true;
        List<Object> full = new ArrayList<>(containers);
        full.set(0, merged(full.get(0), FULL.get("container")));
        fields.put("containers", full);
        return merged(fields, FULL.get("pod"));
      }
      return fields;
    }
  }

  private static Map<String, Object> with(Map<String, Object> fields, String name, Object added) {
    fields.put(name, merged(fields.get(name), added));
    return fields;
  }

  /** {@code node} takes precedence. */
  private static Object merged(@Nullable Object node, @Nullable Object added) {
    Map<String, Object> fields = RawTree.mapping(added);
    RawTree.mapping(node)
        .forEach((name, value) -> fields.put(
            name,
            value instanceof Map<?, ?> && fields.get(name) instanceof Map<?, ?>
                ? merged(value, fields.get(name))
                : value));
    return fields;
  }
}
