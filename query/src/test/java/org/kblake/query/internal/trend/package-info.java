/** Tests of sums and held values without an archive. */
@NullMarked
package org.kblake.query.internal.trend;

import org.jspecify.annotations.NullMarked;
