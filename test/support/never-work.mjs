// For processes of tests: a BullMQ worker that is connected and takes no jobs.
import { createRequire } from 'node:module';

const { Worker } = createRequire(import.meta.url)('bullmq');
Worker.prototype.run = () => new Promise(() => undefined);
