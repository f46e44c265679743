/**
 * A second reader of the reference layout that shares no code with kblake's, and answers as text to
 * compare.
 */
@NullMarked
package org.kblake.test.oracle;

import org.jspecify.annotations.NullMarked;
