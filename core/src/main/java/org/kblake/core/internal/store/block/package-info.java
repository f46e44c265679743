/** One block: its name, coverage, segments and patch; how it is written and verified. */
@NullMarked
package org.kblake.core.internal.store.block;

import org.jspecify.annotations.NullMarked;
