/** Benchmarks of the other modules with JMH. They are not part of the distribution. */
@NullMarked
package org.kblake.benchmarks;

import org.jspecify.annotations.NullMarked;
