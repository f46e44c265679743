/** Tests of what a builder accepts. */
@NullMarked
package org.kblake.transfer.build;

import org.jspecify.annotations.NullMarked;
