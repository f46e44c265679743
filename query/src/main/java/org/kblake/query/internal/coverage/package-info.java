/** Builds the coverage report from segments, damage and missing files. */
@NullMarked
package org.kblake.query.internal.coverage;

import org.jspecify.annotations.NullMarked;
