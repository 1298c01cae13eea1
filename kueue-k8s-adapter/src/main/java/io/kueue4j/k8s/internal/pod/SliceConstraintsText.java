package io.kueue4j.k8s.internal.pod;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.core.resource.ResourceNames;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Nested slices in the notation of an annotation, such as {@code [{"topology": "rack", "size": 8},
 * {"topology": "kubernetes.io/hostname", "size": 4}]}.
 *
 * <p>Rules: T-16, T-90.
 *
 * @param constraints the slices, coarsest first
 * @param problem why they cannot be read, empty if they can
 */
record SliceConstraintsText(ImmutableList<SliceConstraint> constraints, Optional<String> problem) {
  private static final ObjectReader READER = JsonMapper.builder()
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build()
      .reader();
  private static final String FORM =
      "expected a JSON list of {\"topology\": LEVEL, \"size\": PODS}";
  private static final int MAX_LAYERS = 3;

  static SliceConstraintsText read(String text) {
    JsonNode list;
    try {
      list = READER.readTree(text);
    } catch (JsonProcessingException e) {
      return unreadable("\"" + text + "\" is not JSON; " + FORM);
    }
    if (!list.isArray()) {
      return unreadable("\"" + text + "\" is no list; " + FORM);
    }
    ImmutableList.Builder<SliceConstraint> read = ImmutableList.builder();
    for (JsonNode layer : list) {
      JsonNode topology = layer.path("topology");
      JsonNode size = layer.path("size");
      if (!topology.isTextual() || !size.canConvertToInt() || !size.isIntegralNumber()) {
        return unreadable("\"" + layer + "\" is no slice; " + FORM);
      }
      read.add(new SliceConstraint(topology.textValue(), size.intValue()));
    }
    return new SliceConstraintsText(read.build(), Optional.empty());
  }

  void check(String path, int podCount, AnnotationErrors errors) {
    if (problem.isPresent()) {
      errors.add(path, problem.get());
      return;
    }
    if (constraints.isEmpty() || constraints.size() > MAX_LAYERS) {
      errors.add(path, constraints.size() + " slices; expected 1 to " + MAX_LAYERS);
    }
    Set<String> levels = new HashSet<>();
    for (int i = 0; i < constraints.size(); i++) {
      String level = constraints.get(i).topology();
      if (!ResourceNames.isQualifiedName(level)) {
        errors.add(path + "[" + i + "].topology", "\"" + level + "\" is no key of node labels");
      } else if (!levels.add(level)) {
        errors.add(path + "[" + i + "].topology", "\"" + level + "\" is used twice");
      }
      checkSize(path + "[" + i + "].size", i, podCount, errors);
    }
  }

  /** Checks that a slice consists of whole slices of the next layer. */
  private void checkSize(String path, int layer, int podCount, AnnotationErrors errors) {
    int size = constraints.get(layer).size();
    if (size < 1) {
      errors.add(path, size + "; expected 1 or more");
    } else if (layer == 0 && size > podCount) {
      errors.add(path, size + "; expected at most the number of pods, " + podCount);
    } else if (layer > 0 && constraints.get(layer - 1).size() % size != 0) {
      errors.add(
          path,
          size + "; expected a divisor of the " + constraints.get(layer - 1).size()
              + " pods of the slice that it is part of");
    }
  }

  private static SliceConstraintsText unreadable(String problem) {
    return new SliceConstraintsText(ImmutableList.of(), Optional.of(problem));
  }
}
