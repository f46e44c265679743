/** The libraries that packages contain: their licenses, notices and versions. */
@NullMarked
package org.kblake.test.packaging;

import org.jspecify.annotations.NullMarked;
