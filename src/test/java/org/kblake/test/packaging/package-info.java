/** The libraries that packages contain: their licenses and notices. */
@NullMarked
package org.kblake.test.packaging;

import org.jspecify.annotations.NullMarked;
