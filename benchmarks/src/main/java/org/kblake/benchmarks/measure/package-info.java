/**
 * Tools of measuring: figures, lines of a table beside a limit or a peer, repetitions, whole
 * commands, cold files, results and tables. Knows nothing of what is measured.
 */
@NullMarked
package org.kblake.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
