/**
 * {@code kblake serve} with clients on the loopback interface. Started by {@code benchmarks/serve}.
 * Uses the tools of {@code measure}.
 */
@NullMarked
package org.kblake.benchmarks.serve;

import org.jspecify.annotations.NullMarked;
