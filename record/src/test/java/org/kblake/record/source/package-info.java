/** Tests of the package of the same name. */
@NullMarked
package org.kblake.record.source;

import org.jspecify.annotations.NullMarked;
