import { readFileSync, writeFileSync } from 'node:fs';
import { CLIENTS } from '../api/clients/index.js';
import { clientTable } from './clients.js';

/** Writes the table of docs/use/clients.md anew from the lists in test/api/clients (`npm run docs:clients`). */
const PAGE = 'docs/use/clients.md';
const page = readFileSync(PAGE, 'utf8');
const start = page.indexOf('| Client |');
writeFileSync(PAGE, page.slice(0, start) + clientTable(CLIENTS) + page.slice(page.indexOf('\n\n', start)));
