import express from 'express';
import { v7 as uuidv7 } from 'uuid';
import { AWAITED, createWaits } from './awaited.js';
import { batched } from './batched.js';
import { connectDatabase, connectRedis, createDispatch } from './connect.js';
import { serve } from './serve.js';
import { COLUMNS, deliveryOf, STORY_ID, TRANSFORMATION, WEBHOOK_ID } from './story.js';

/*
 * The web process of the floor: takes a webhook, stores run, event and delivery in a transaction that all who wait
 * share, answers, and adds the jobs.
 */
interface Start {
  guid: string;
  payload: string;
}

const database = connectDatabase();
const dispatch = createDispatch(TRANSFORMATION.queue, connectRedis());

const start = batched<Start, void>(async (starts) => {
  const ids = await database.transaction(async () => {
    const runs = starts.map(({ guid }) => [guid, STORY_ID, 'webhook']);
    await database.insert('story_runs', COLUMNS.runs, runs);
    const events = starts.map(({ guid, payload }) => [guid, STORY_ID, WEBHOOK_ID, payload, '{"receive":0}']);
    const eventIds = await database.insert('events', COLUMNS.events, events);
    const rows = starts.map(({ guid }, index) => deliveryOf(TRANSFORMATION, guid, eventIds[index] ?? 0));
    return database.insert('deliveries', COLUMNS.deliveries, rows);
  });
  dispatch(ids);
  return [];
});

const through = AWAITED ? createWaits() : undefined;

const app = express();
app.disable('x-powered-by').disable('etag');
app.post('/webhook/:path/:secret', express.raw({ type: () => true }), (request, response, next) => {
  const payload = JSON.stringify(JSON.parse(String(request.body)));
  const guid = uuidv7();
  const respond = () =>
    response.writeHead(201, { 'content-type': 'text/plain', 'content-length': '2' }).end('Ok');
  Promise.all([start({ guid, payload }), through?.(guid)]).then(respond, next);
});

serve(app);
