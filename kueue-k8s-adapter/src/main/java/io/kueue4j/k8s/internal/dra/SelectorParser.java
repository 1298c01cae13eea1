package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import com.google.common.primitives.Longs;
import io.kueue4j.k8s.internal.dra.SelectorLexer.Kind;
import io.kueue4j.k8s.internal.dra.SelectorLexer.Token;
import java.util.HashSet;
import java.util.Set;

/** Parses an expression by recursive descent. Not thread-safe. */
final class SelectorParser {
  private static final int MAX_DEPTH = 50;
  private static final ImmutableSet<String> COMPARISONS =
      ImmutableSet.of("==", "!=", "<", "<=", ">", ">=");

  private static final ImmutableSet<String> FUNCTIONS =
      ImmutableSet.of("has", "quantity", "semver", "size");

  private final ImmutableList<Token> tokens;
  private final Set<String> variables = new HashSet<>(Set.of(SelectorNode.DEVICE));
  private int next;
  private int depth;

  private SelectorParser(ImmutableList<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * {@return the expression}
   *
   * @throws SelectorException if {@code text} is no expression, or uses what is not supported
   */
  static SelectorNode parse(String text) {
    SelectorParser parser = new SelectorParser(SelectorLexer.tokens(text));
    SelectorNode node = parser.expression();
    if (parser.peek().kind() != Kind.END) {
      throw parser.unexpected("the end");
    }
    return node;
  }

  private SelectorNode expression() {
    if (++depth > MAX_DEPTH) {
      throw new SelectorException("is nested too deeply");
    }
    SelectorNode node = or();
    if (accept("?")) {
      SelectorNode condition = node;
      SelectorNode yes = expression();
      expect(":");
      SelectorNode no = expression();
      node = scope -> (SelectorValues.flag(condition.eval(scope)) ? yes : no).eval(scope);
    }
    depth--;
    return node;
  }

  private SelectorNode or() {
    SelectorNode node = and();
    while (accept("||")) {
      node = SelectorNode.either(node, and(), true);
    }
    return node;
  }

  private SelectorNode and() {
    SelectorNode node = relation();
    while (accept("&&")) {
      node = SelectorNode.either(node, relation(), false);
    }
    return node;
  }

  private SelectorNode relation() {
    SelectorNode left = unary();
    Token sign = peek();
    if (sign.kind() == Kind.NAME && sign.text().equals("in")) {
      next++;
      SelectorNode right = unary();
      return scope -> SelectorValues.contains(right.eval(scope), left.eval(scope));
    }
    if (sign.kind() != Kind.SIGN || !COMPARISONS.contains(sign.text())) {
      return left;
    }
    next++;
    SelectorNode right = unary();
    return switch (sign.text()) {
      case "==" -> scope -> left.eval(scope).equals(right.eval(scope));
      case "!=" -> scope -> !left.eval(scope).equals(right.eval(scope));
      case "<" -> scope -> SelectorValues.compare(left.eval(scope), right.eval(scope)) < 0;
      case "<=" -> scope -> SelectorValues.compare(left.eval(scope), right.eval(scope)) <= 0;
      case ">" -> scope -> SelectorValues.compare(left.eval(scope), right.eval(scope)) > 0;
      default -> scope -> SelectorValues.compare(left.eval(scope), right.eval(scope)) >= 0;
    };
  }

  private SelectorNode unary() {
    boolean negated = false;
    while (accept("!")) {
      negated = !negated;
    }
    SelectorNode node = accept("-") ? number("-") : member();
    return negated ? scope -> !SelectorValues.flag(node.eval(scope)) : node;
  }

  private SelectorNode member() {
    SelectorNode node = primary();
    while (true) {
      if (accept("[")) {
        SelectorNode target = node;
        SelectorNode key = expression();
        expect("]");
        node = scope -> SelectorValues.get(target.eval(scope), key.eval(scope));
      } else if (accept(".")) {
        node = selected(node);
      } else {
        return node;
      }
    }
  }

  private SelectorNode selected(SelectorNode target) {
    Token name = expect(Kind.NAME, "a name");
    if (accept("(")) {
      ImmutableList<SelectorNode> arguments = list(")");
      SelectorValues.checkMethod(name.text(), arguments.size());
      return scope -> SelectorValues.call(
          name.text(), target.eval(scope), SelectorNode.evalAll(arguments, scope));
    }
    return new SelectorNode.Select(target, name.text());
  }

  private SelectorNode primary() {
    Token token = peek();
    if (token.kind() == Kind.STRING) {
      next++;
      return scope -> token.text();
    }
    if (token.kind() == Kind.NUMBER) {
      return number("");
    }
    if (token.kind() == Kind.NAME) {
      next++;
      return named(token);
    }
    if (accept("(")) {
      SelectorNode node = expression();
      expect(")");
      return node;
    }
    if (accept("[")) {
      ImmutableList<SelectorNode> items = list("]");
      return scope -> SelectorNode.evalAll(items, scope);
    }
    throw unexpected("a value");
  }

  private SelectorNode number(String sign) {
    Token token = expect(Kind.NUMBER, "a number");
    Long value = Longs.tryParse(sign + token.text());
    if (value == null || peek().text().equals(".")) {
      throw new SelectorException("has a number at character " + token.at()
          + " that is not supported; expected a whole number of 64 bits");
    }
    return scope -> value;
  }

  private SelectorNode named(Token name) {
    if (name.text().equals("true") || name.text().equals("false")) {
      boolean value = name.text().equals("true");
      return scope -> value;
    }
    if (variables.contains(name.text())) {
      return scope -> scope.value(name.text());
    }
    if (name.text().equals("cel") && accept(".")) {
      if (expect(Kind.NAME, "bind").text().equals("bind")) {
        return binding();
      }
    } else if (FUNCTIONS.contains(name.text())) {
      expect("(");
      SelectorNode argument = expression();
      expect(")");
      return function(name.text(), argument);
    }
    throw new SelectorException(
        "uses " + name.text() + " at character " + name.at() + ", which is not supported");
  }

  private SelectorNode function(String name, SelectorNode argument) {
    return switch (name) {
      case "quantity" -> scope -> SelectorValues.quantity(argument.eval(scope));
      case "semver" -> scope -> SelectorValues.version(argument.eval(scope));
      case "size" -> scope -> SelectorValues.size(argument.eval(scope));
      default -> {
        if (argument instanceof SelectorNode.Select select) {
          yield scope -> SelectorValues.has(select.target().eval(scope), select.field());
        }
        throw unexpected("a field in has");
      }
    };
  }

  /** Reads {@code cel.bind(name, value, expression)} from its first parenthesis on. */
  private SelectorNode binding() {
    expect("(");
    String name = expect(Kind.NAME, "the name of a variable").text();
    expect(",");
    SelectorNode value = expression();
    expect(",");
    Set<String> before = Set.copyOf(variables);
    variables.add(name);
    SelectorNode result = expression();
    Sets.difference(Set.copyOf(variables), before).forEach(variables::remove);
    expect(")");
    return scope -> result.eval(scope.with(name, value.eval(scope)));
  }

  private ImmutableList<SelectorNode> list(String end) {
    ImmutableList.Builder<SelectorNode> items = ImmutableList.builder();
    if (accept(end)) {
      return items.build();
    }
    do {
      items.add(expression());
    } while (accept(","));
    expect(end);
    return items.build();
  }

  private Token peek() {
    return tokens.get(next);
  }

  private boolean accept(String sign) {
    boolean found = peek().kind() == Kind.SIGN && peek().text().equals(sign);
    if (found) {
      next++;
    }
    return found;
  }

  private void expect(String sign) {
    if (!accept(sign)) {
      throw unexpected("\"" + sign + "\"");
    }
  }

  private Token expect(Kind kind, String expected) {
    if (peek().kind() != kind) {
      throw unexpected(expected);
    }
    return tokens.get(next++);
  }

  private SelectorException unexpected(String expected) {
    return new SelectorException(
        "has " + peek().text() + " at character " + peek().at() + ", expected " + expected);
  }
}
