/**
 * Samples of every core of this machine, which {@code perf record} writes as a stream. {@link
 * org.kblake.record.perf.PerfSource} is the door. {@link org.kblake.record.perf.PerfRecords} and
 * {@link org.kblake.record.perf.PerfLayout} alone have byte offsets of the stream.
 */
@NullMarked
package org.kblake.record.perf;

import org.jspecify.annotations.NullMarked;
