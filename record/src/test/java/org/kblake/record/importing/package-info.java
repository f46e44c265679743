/** Imports of other archives. */
@NullMarked
package org.kblake.record.importing;

import org.jspecify.annotations.NullMarked;
