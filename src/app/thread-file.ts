import path from 'node:path';

/** The file that each thread runs. In the build it stands beside the bundles. */
export const THREAD_FILE = path.join(__dirname, `thread${path.extname(__filename)}`);
