/** Tests of what servers say of channels. */
@NullMarked
package org.kblake.record.metadata;

import org.jspecify.annotations.NullMarked;
