package org.kblake.cli.compare;

import org.jspecify.annotations.Nullable;

/**
 * The first difference of two answers to a request.
 *
 * @param line the line, counted from 1; 0 if the exit status differs
 * @param theirs the line of the other program, or its exit status; null if its output ended before
 *     this line
 * @param ours the line of this program, or its exit status; null if its output ended before this
 *     line
 * @param rule the rule of the specification for this difference
 */
public record FirstDifference(
    long line, @Nullable String theirs, @Nullable String ours, Rule rule) {}
