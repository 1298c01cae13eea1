package io.kueue4j.k8s;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Writes a tree of maps, lists and scalars as YAML in one of many ways: order of fields, block or
 * flow, comments, blank lines, indentation, quotes.
 */
final class RandomStyle {
  private static final String PLAIN = "[A-Za-z][A-Za-z0-9./-]*|[0-9.]+[A-Za-z]+";

  private final Random random;
  private final StringBuilder text = new StringBuilder();

  private RandomStyle(Random random) {
    this.random = random;
  }

  static String write(Object tree, Random random) {
    RandomStyle style = new RandomStyle(random);
    style.comment(0);
    style.block(tree, 0);
    return style.text.toString();
  }

  private void block(Object node, int indent) {
    int step = 1 + random.nextInt(3);
    if (node instanceof Map<?, ?> map && !map.isEmpty()) {
      for (Map.Entry<?, ?> entry : shuffled(map)) {
        comment(indent);
        text.append(" ".repeat(indent)).append(scalar(entry.getKey())).append(":");
        value(entry.getValue(), indent, step);
      }
    } else if (node instanceof List<?> list && !list.isEmpty()) {
      for (Object item : list) {
        comment(indent);
        text.append(" ".repeat(indent)).append("-");
        value(item, indent, step);
      }
    } else {
      text.append(" ".repeat(indent)).append(flow(node)).append("\n");
    }
  }

  private void value(Object value, int indent, int step) {
    boolean collection = value instanceof Map || value instanceof List;
    if (collection && random.nextInt(4) > 0) {
      text.append(random.nextBoolean() ? " # why\n" : "\n");
      block(value, indent + step);
    } else {
      text.append(" ").append(flow(value)).append(random.nextBoolean() ? " # so\n" : "\n");
    }
  }

  private String flow(Object node) {
    if (node instanceof Map<?, ?> map) {
      List<String> fields = new ArrayList<>();
      shuffled(map)
          .forEach(entry -> fields.add(scalar(entry.getKey()) + ": " + flow(entry.getValue())));
      return "{" + String.join(separator(), fields) + "}";
    }
    if (node instanceof List<?> list) {
      return "[" + String.join(separator(), list.stream().map(this::flow).toList()) + "]";
    }
    return scalar(node);
  }

  private String separator() {
    return random.nextBoolean() ? ", " : " , ";
  }

  private String scalar(Object value) {
    if (!(value instanceof String string)) {
      return String.valueOf(value);
    }
    boolean plain = string.matches(PLAIN) && !string.equals("true");
    return switch (random.nextInt(plain ? 3 : 2)) {
      case 0 -> "\"" + string + "\"";
      case 1 -> "'" + string + "'";
      default -> string;
    };
  }

  private void comment(int indent) {
    if (random.nextInt(3) == 0) {
      text.append(" ".repeat(indent)).append("# {a: comment, [\n\n");
    }
  }

  private <K, V> List<Map.Entry<K, V>> shuffled(Map<K, V> map) {
    List<Map.Entry<K, V>> entries = new ArrayList<>(map.entrySet());
    Collections.shuffle(entries, random);
    return entries;
  }
}
