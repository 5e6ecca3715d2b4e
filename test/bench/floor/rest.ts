import express, { type Request, type RequestHandler } from 'express';
import { type Asker, createRestDatabase } from './rest-database.js';
import { createCase, createRecord, getRecord, listRecords } from './rest-routes.js';
import { serve } from './serve.js';
import type { RestWorld } from './rest-world.js';

/*
 * The bare REST server: four routes of the product's that run the same statements on the same tables and do nothing
 * else. No checks, rights, limits, presenters, logs, retries or time-outs.
 */
process.once('SIGTERM', () => process.exit(0));

const world = JSON.parse(process.env['REST_WORLD'] ?? '{}') as RestWorld;
const withAsker = createRestDatabase(process.env['DATABASE_URL'] ?? '');

interface RecordBody {
  field_values: { value: unknown }[];
}

const app = express();
app.disable('x-powered-by').disable('etag');
const json = express.json();
/** Answers with what the route reads. */
const respond = (
  read: (asker: Asker, request: Request) => Promise<unknown>,
  status = 200,
): RequestHandler => {
  return (request, response, next) => {
    withAsker((asker) => read(asker, request)).then((body) => response.status(status).json(body), next);
  };
};
app.get(
  '/api/v1/records',
  respond((asker) => listRecords(asker, world)),
);
app.get(
  '/api/v1/records/:id',
  respond((asker, { params }) => getRecord(asker, world, Number(params['id']))),
);
app.post(
  '/api/v1/records',
  json,
  respond((asker, request) => {
    const values = (request.body as RecordBody).field_values.map(({ value }) => value);
    return createRecord(asker, world, values);
  }, 201),
);
app.post(
  '/api/v2/cases',
  json,
  respond((asker, request) => createCase(asker, world, request.body as Record<string, unknown>), 201),
);

serve(app);
