/** What documents say: links, figures, and the messages of docs/troubleshooting.md. */
@NullMarked
package org.kblake.test.document;

import org.jspecify.annotations.NullMarked;
