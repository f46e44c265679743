package org.kblake.cli.compare;

import org.jspecify.annotations.Nullable;

/**
 * Where two answers to one request differ first.
 *
 * @param line counted from 1; 0 where it is not a line of the output that differs
 * @param theirs the line of the other program, or its exit status; null if its output ended before
 * @param ours our line, or our exit status; null if our output ended before
 * @param rule the rule of the specification that is concerned
 */
public record Difference(long line, @Nullable String theirs, @Nullable String ours, Rule rule) {}
