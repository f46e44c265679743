/**
 * The matrix of the published tests of J-PARC's archiver, which stores its data in HBase: encodings
 * and compression against size, load and read, and the load of several days. Started by {@code
 * benchmarks/jparc}. Uses the tools of {@code measure}. The other side is HBase's mini cluster in a
 * process of its own.
 */
@NullMarked
package org.kblake.benchmarks.jparc;

import org.jspecify.annotations.NullMarked;
