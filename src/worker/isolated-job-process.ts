import { runIsolated } from './face.js';

runIsolated();
