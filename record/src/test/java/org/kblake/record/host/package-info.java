/** Tests of the counters of a machine. */
@NullMarked
package org.kblake.record.host;

import org.jspecify.annotations.NullMarked;
