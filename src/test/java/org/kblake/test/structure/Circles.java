package org.kblake.test.structure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the circles of a graph of names by Tarjan's algorithm: the sets of names in which each name
 * leads to each other one.
 */
final class Circles {

  private final Map<String, Set<String>> uses;
  private final Map<String, Integer> order = new HashMap<>();
  private final Map<String, Integer> earliest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final Set<String> isOpen = new HashSet<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Circles(Map<String, Set<String>> uses) {
    this.uses = uses;
  }

  /** Returns the circles of two or more names. */
  static List<Set<String>> of(Map<String, Set<String>> uses) {
    Circles circles = new Circles(uses);
    uses.keySet().forEach(circles::visit);
    return circles.found;
  }

  /** Visits a name. Returns the number of the earliest open name that it leads to. */
  private int visit(String name) {
    Integer known = order.get(name);
    if (known != null) {
      return isOpen.contains(name) ? known : Integer.MAX_VALUE;
    }
    int own = order.size();
    order.put(name, own);
    earliest.put(name, own);
    open.push(name);
    isOpen.add(name);
    for (String used : uses.getOrDefault(name, Set.of())) {
      earliest.merge(name, visit(used), Math::min);
    }
    int reached = earliest.getOrDefault(name, own);
    if (reached == own) {
      close(name);
    }
    return reached;
  }

  private void close(String first) {
    Set<String> circle = new TreeSet<>();
    String name;
    do {
      name = open.pop();
      isOpen.remove(name);
      circle.add(name);
    } while (!name.equals(first));
    if (circle.size() > 1) {
      found.add(circle);
    }
  }
}
