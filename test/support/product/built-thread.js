const path = require('node:path');

/*
 * Stands for `src/app/thread-file.ts` in tests with stores: threads run the test product's build. From the sources each thread
 * would compile and load a thousand files.
 */
exports.THREAD_FILE = path.join(__dirname, '..', '..', '..', '.cache', 'product', 'thread.js');
