package io.kueue4j.examples.docs;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reader has typed who pastes the shell blocks of a page in order: reads commands, and knows
 * the variables that they set. It knows quotes, continued lines, comments, variables and lists of
 * commands, and no more of a shell.
 */
final class ShellSession {
  private static final String PROMPT = "$ ";
  private static final Pattern ASSIGNMENT = Pattern.compile("([A-Z_]+)=(.*)", Pattern.DOTALL);
  private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)\\}|(\\w+|\\?))");
  private static final ImmutableList<String> JAR =
      ImmutableList.of("java", "-jar", "kueue-examples/target/kueue-examples.jar");
  private static final ImmutableList<String> LAUNCHERS =
      ImmutableList.of("kueue4j", "./kueue4j", "kueue-examples/target/kueue4j");

  private static final Pattern PART =
      Pattern.compile("\\s+|'([^']*)'|\"([^\"]*)\"" + "|\\$\\([^)]*\\)|\\$[\\w{}?]*|[^\\s'\"$]+");

  /** The variables, with those that every shell sets. */
  private final Map<String, String> variables =
      new HashMap<>(ImmutableMap.of("PATH", "/usr/bin:/bin", "PWD", "."));

  /** Some words, and what stands printed below them. */
  record Command(ImmutableList<String> words, String printed) {
    /** {@return the arguments of kueue4j, or nothing if this is another command} */
    ImmutableList<String> arguments() {
      if (LAUNCHERS.contains(words.get(0))) {
        return words.subList(1, words.size());
      }
      return words.size() > JAR.size() && words.subList(0, JAR.size()).equals(JAR)
          ? words.subList(JAR.size(), words.size())
          : ImmutableList.of();
    }
  }

  void set(String variable, String value) {
    variables.put(variable, value);
  }

  /** Reads a block of commands that start with a prompt, each with what it prints. */
  void console(String block, Consumer<Command> runner) {
    List<String> lines = block.lines().toList();
    int next = 0;
    while (next < lines.size()) {
      if (!lines.get(next).startsWith(PROMPT)) {
        throw new IllegalArgumentException(
            "expected a command after \"$ \", not " + lines.get(next));
      }
      StringBuilder command = new StringBuilder(lines.get(next++).substring(PROMPT.length()));
      next = append(command, lines, next);
      StringBuilder printed = new StringBuilder();
      while (next < lines.size() && !lines.get(next).startsWith(PROMPT)) {
        printed.append(lines.get(next++)).append('\n');
      }
      run(command.toString(), printed.toString(), runner);
    }
  }

  /** Reads a block of commands. */
  void script(String block, Consumer<Command> runner) {
    List<String> lines = block.lines().toList();
    int next = 0;
    while (next < lines.size()) {
      StringBuilder command = new StringBuilder(lines.get(next++));
      next = append(command, lines, next);
      run(command.toString(), "", runner);
    }
  }

  private static int append(StringBuilder command, List<String> lines, int next) {
    int after = next;
    while (command.toString().endsWith("\\")) {
      command.setLength(command.length() - 1);
      command.append(lines.get(after++));
    }
    return after;
  }

  private void run(String line, String printed, Consumer<Command> runner) {
    List<String> words = new ArrayList<>();
    for (String word : words(line)) {
      if (word.equals("&&") || word.equals("|") || word.equals(";")) {
        run(words, "", runner);
        words.clear();
      } else {
        words.add(word);
      }
    }
    run(words, printed, runner);
  }

  private void run(List<String> words, String printed, Consumer<Command> runner) {
    if (words.isEmpty()) {
      return;
    }
    Matcher assignment = ASSIGNMENT.matcher(words.get(words.size() - 1));
    boolean exported = words.size() == 2 && words.get(0).equals("export");
    if ((words.size() == 1 || exported) && assignment.matches()) {
      set(assignment.group(1), assignment.group(2));
    } else {
      runner.accept(new Command(ImmutableList.copyOf(words), printed));
    }
  }

  private List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher parts = PART.matcher(line);
    boolean between = true;
    while (parts.find()) {
      String part = parts.group();
      if (part.isBlank()) {
        between = true;
        continue;
      }
      if (between && part.startsWith("#")) {
        break;
      }
      String value;
      if (parts.group(1) != null) {
        value = parts.group(1);
      } else {
        value = substituted(parts.group(2) != null ? parts.group(2) : part);
      }
      if (between) {
        words.add(value);
      } else {
        words.set(words.size() - 1, words.get(words.size() - 1) + value);
      }
      between = false;
    }
    return words;
  }

  private String substituted(String text) {
    return VARIABLE.matcher(text).replaceAll(match -> {
      String name = match.group(1) != null ? match.group(1) : match.group(2);
      if (!variables.containsKey(name)) {
        throw new IllegalArgumentException(
            "$" + name + " is not set by a block above; set it in a line that can be pasted");
      }
      return Matcher.quoteReplacement(variables.get(name));
    });
  }
}
