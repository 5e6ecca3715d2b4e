import { readFileSync, writeFileSync } from 'node:fs';
import { operationIdOf } from '../../src/api/openapi/operation-id.js';
import { ROUTES } from '../../src/app/routes.js';
import { CLIENT_FILE, clientSource } from './typescript-client.js';

/** `npm run client`: writes the generated part of the TypeScript client, and adds new operations to those that stay. */
const KNOWN = 'test/fixtures/operation-ids.json';

const known = JSON.parse(readFileSync(KNOWN, 'utf8')) as Record<string, string>;
const now = ROUTES.map((route) => [operationIdOf(route), `${route.method} ${route.path}`] as const);
const all = Object.entries({ ...Object.fromEntries(now), ...known }).toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(KNOWN, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
writeFileSync(CLIENT_FILE, clientSource());
