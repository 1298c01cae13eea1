package io.kueue4j.core.lint;

import io.kueue4j.core.lint.WorldState.Move;
import io.kueue4j.core.lint.WorldState.Next;
import io.kueue4j.core.lint.WorldState.QueuePreemption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The states that a group of ClusterQueues can reach with some number of workloads, and the moves
 * between them. Finds the rounds of moves that preempt and come back to where they began.
 */
final class StateGraph {
  /**
   * Moves that repeat for ever, unless the engine remembers something that a state does not show.
   *
   * @param beginning the moves that lead into the round
   * @param round the moves of the round
   * @param preemptions which ClusterQueues preempt which in the round, and by which policy
   * @param isCertain whether nothing else can happen in the round
   */
  record Round(
      List<Move> beginning,
      List<Move> round,
      Set<QueuePreemption> preemptions,
      boolean isCertain) {}

  /** A state. */
  private static final class Node {
    /** The first way to it that was found, null if it is the empty state. */
    final @Nullable Edge way;

    final boolean isQuiet;

    /** The moves from it, but arrivals. */
    List<Edge> edges = List.of();

    Node(@Nullable Edge way, WorldState state) {
      this.way = way;
      this.isQuiet = state.isQuiet();
    }

    List<Move> path() {
      List<Move> moves = new ArrayList<>();
      for (Edge edge = way; edge != null; edge = edge.from.way) {
        moves.add(edge.move);
      }
      Collections.reverse(moves);
      return moves;
    }
  }

  /** A move from one state to another, with who preempts whom then. */
  private static final class Edge {
    final Node from;
    final Move move;
    final Set<QueuePreemption> preemptions;
    final Node to;

    Edge(Node from, Move move, Next next, @Nullable Node known) {
      this.from = from;
      this.move = move;
      this.preemptions = next.preemptions();
      this.to = known == null ? new Node(this, next.state()) : known;
    }
  }

  /** A state with moves that were not made yet. */
  private record Open(Node node, WorldState state) {}

  private final WorldState empty;
  private final List<Move> arrivals;
  private final boolean arrivalsAnyTime;

  /** The states with the most workloads so far. */
  private Map<String, Node> level;

  private long states = 1;

  StateGraph(WorldState empty, List<JobType> types, boolean arrivalsAnyTime) {
    this.empty = empty;
    this.arrivals = types.stream().map(Move::arrival).toList();
    this.arrivalsAnyTime = arrivalsAnyTime;
    this.level = Map.of("", new Node(null, empty));
  }

  /** {@return the number of states so far} */
  long states() {
    return states;
  }

  /**
   * Adds a workload to the states so far.
   *
   * @param limit the number of states at which nothing more is added
   * @return whether all states were reached
   */
  boolean grow(long limit) {
    Map<String, Node> next = new LinkedHashMap<>();
    boolean isWhole = true;
    for (Node node : level.values()) {
      isWhole = states + next.size() < limit;
      if (!isWhole) {
        break;
      }
      if (arrivalsAnyTime || node.isQuiet) {
        // A state takes much memory, and a few moves lead to it.
        WorldState state = empty;
        for (Move move : node.path()) {
          state = state.after(move).state();
        }
        Deque<Open> open = new ArrayDeque<>();
        for (Move arrival : arrivals) {
          Edge unused = move(new Open(node, state), arrival, next, open);
        }
        for (Open each = open.poll(); each != null; each = open.poll()) {
          List<Edge> edges = new ArrayList<>();
          for (Move move : each.state.moves()) {
            edges.add(move(each, move, next, open));
          }
          each.node.edges = List.copyOf(edges);
        }
      }
    }
    level = next;
    states += next.size();
    return isWhole;
  }

  private static Edge move(Open from, Move move, Map<String, Node> nodes, Deque<Open> open) {
    Next next = from.state.after(move);
    String signature = next.state().signature();
    Node known = nodes.get(signature);
    Edge edge = new Edge(from.node, move, next, known);
    if (known == null) {
      nodes.put(signature, edge.to);
      open.add(new Open(edge.to, next.state()));
    }
    return edge;
  }

  /** {@return the shortest round of each kind of loop with as many workloads as there are now} */
  List<Round> rounds() {
    Map<Set<QueuePreemption>, Round> rounds = new LinkedHashMap<>();
    for (Node node : level.values()) {
      for (Edge edge : node.edges) {
        if (!edge.preemptions.isEmpty()) {
          List<Edge> back = wayBack(edge);
          if (back != null) {
            Round round = round(edge, back);
            rounds.merge(
                round.preemptions, round, (a, b) -> a.round.size() <= b.round.size() ? a : b);
          }
        }
      }
    }
    return rounds.values().stream()
        .sorted(Comparator.comparing(round -> round.preemptions.size()))
        .toList();
  }

  /** {@return the moves from the end of an edge to its beginning, null if there is no way} */
  private static @Nullable List<Edge> wayBack(Edge edge) {
    Map<Node, Edge> reachedBy = new HashMap<>();
    Deque<Node> open = new ArrayDeque<>(List.of(edge.to));
    for (Node node = open.poll(); node != null && node != edge.from; node = open.poll()) {
      for (Edge next : node.edges) {
        if (next.to != edge.to && reachedBy.putIfAbsent(next.to, next) == null) {
          open.add(next.to);
        }
      }
    }
    if (edge.from != edge.to && !reachedBy.containsKey(edge.from)) {
      return null;
    }
    List<Edge> way = new ArrayList<>();
    for (Node node = edge.from; node != edge.to; ) {
      Edge last = Objects.requireNonNull(reachedBy.get(node));
      way.add(last);
      node = last.from;
    }
    Collections.reverse(way);
    return way;
  }

  private static Round round(Edge first, List<Edge> back) {
    List<Edge> edges = new ArrayList<>();
    edges.add(first);
    edges.addAll(back);
    Set<QueuePreemption> preemptions = new HashSet<>();
    boolean isCertain = true;
    for (Edge edge : edges) {
      preemptions.addAll(edge.preemptions);
      isCertain &=
          edge.from.edges.stream().allMatch(other -> other == edge || other.to == edge.from);
    }
    return new Round(
        first.from.path(), edges.stream().map(edge -> edge.move).toList(), preemptions, isCertain);
  }
}
