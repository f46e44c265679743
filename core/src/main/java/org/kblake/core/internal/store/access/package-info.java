/** The access records of readers: which spans were read, and when. */
@NullMarked
package org.kblake.core.internal.store.access;

import org.jspecify.annotations.NullMarked;
