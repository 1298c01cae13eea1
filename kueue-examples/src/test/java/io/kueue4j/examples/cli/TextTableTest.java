package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    TextTable table = new TextTable(List.of("NAME", "AGE", "REASON"));
    table.add(List.of("a", "1000s", "waits"));
    table.add(List.of("longer", "", ""));
    table.add(List.of("b", "1s", ""));

    assertThat(lines(table))
        .containsExactly(
            "NAME     AGE     REASON", "a        1000s   waits", "longer", "b        1s");
  }

  @Test
  void aTableWithoutRowsHasItsHeader() {
    assertThat(lines(new TextTable(List.of("NAME", "AGE")))).containsExactly("NAME   AGE");
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    TextTable table = new TextTable(List.of("NAME", "AGE"));
    table.add(List.of("\u001b[31mred\nline", "1s"));

    assertThat(lines(table)).containsExactly("NAME            AGE", "?[31mred?line   1s");
  }

  private static List<String> lines(TextTable table) {
    StringWriter text = new StringWriter();
    table.print(Screen.plain(new PrintWriter(text)));
    return text.toString().lines().toList();
  }
}
