import { runIsolated } from './isolated-process.js';

runIsolated();
