/** Comparison of tables with the store by hashes. */
@NullMarked
package org.kblake.lake.check;

import org.jspecify.annotations.NullMarked;
