/** The formats of an answer, and the interface of their writers. */
@NullMarked
package org.kblake.format;

import org.jspecify.annotations.NullMarked;
