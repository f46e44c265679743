/** Tests of the samples of cores. */
@NullMarked
package org.kblake.record.perf;

import org.jspecify.annotations.NullMarked;
