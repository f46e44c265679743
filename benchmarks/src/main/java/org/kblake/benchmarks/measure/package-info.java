/**
 * Tools of measuring: figures, lines of a table beside a limit or a peer, repetitions, whole
 * commands, cold files, results and tables. This package does not depend on the rows that are
 * measured.
 */
@NullMarked
package org.kblake.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
