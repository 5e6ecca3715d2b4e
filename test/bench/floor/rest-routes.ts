import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Asker } from './rest-database.js';
import { ACTOR, AUDIT, CASES, RECORDS, TYPES } from './rest-statements.js';
import type { RestWorld } from './rest-world.js';

/*
 * Statements of each route, in the product's order. The responses are the rows as they came: about as many bytes
 * as the product's.
 */
const SHARDS = 16;
/** 17, as value rows hold it. */
const SCORE_KEY = Buffer.from('c031000000000000', 'hex');

/** A text as value rows hold it. */
function key(text: unknown): Buffer {
  return Buffer.from(String(text));
}

/** Reads the caller. */
async function actor(asker: Asker, world: RestWorld): Promise<void> {
  await asker.rows(ACTOR.key, [[world.keyDigest]]);
  await asker.rows(ACTOR.roles, [[world.userId]]);
}

async function recordView(asker: Asker, world: RestWorld, id: number) {
  const [record] = await asker.rows(RECORDS.one, [id, world.tenantId]);
  const children = await asker.rows(RECORDS.children, [id]);
  const [type] = await asker.rows(TYPES.some, [[world.typeId]]);
  const fields = await asker.rows(TYPES.fields, [[world.typeId]]);
  const cases = await asker.rows(RECORDS.cases, [id]);
  return { record, children, type, fields, cases };
}

async function caseView(asker: Asker, world: RestWorld, id: number) {
  const [found] = await asker.rows(CASES.some, [[id]]);
  const teams = await asker.rows(CASES.teams, [[world.teamId]]);
  const parts: unknown[] = [];
  for (const sql of CASES.parts) parts.push(await asker.rows(sql, [[id]]));
  const linked = await asker.rows(CASES.linked, [[id], [world.teamId]]);
  const users = await asker.rows(CASES.users, [[world.userId]]);
  return { found, teams, parts, linked, users };
}

/** Writes an entry of the audit log: the change, its author and its `path`. */
async function audit(asker: Asker, world: RestWorld, written: { type: string; id: number; path: string }) {
  const { type, id, path } = written;
  const { tenantId, teamId, userId, userEmail, keyId } = world;
  const who = [uuidv7(), tenantId, teamId, userId, userEmail, keyId];
  const what = [`${type}.create`, type, id, 'POST', path, '127.0.0.1', null, uuidv7(), new Date()];
  await asker.run(AUDIT, [[...who, ...what]]);
}

export async function getRecord(asker: Asker, world: RestWorld, id: number): Promise<unknown> {
  await actor(asker, world);
  return recordView(asker, world, id);
}

export async function listRecords(asker: Asker, world: RestWorld): Promise<unknown> {
  await actor(asker, world);
  const type = await asker.rows(TYPES.one, [world.typeId, world.tenantId]);
  const fields = await asker.rows(TYPES.fields, [[world.typeId]]);
  const count = await asker.rows(RECORDS.count, [world.typeId, false]);
  const ids = await asker.rows(RECORDS.page, [world.typeId, false, 20, 0]);
  const records = await asker.rows(RECORDS.some, [ids.map((row) => Number(row['id']))]);
  return { type, fields: fields.length, count, records };
}

/** `values` as the body has them, in the order of the fields. */
export async function createRecord(
  asker: Asker,
  world: RestWorld,
  [host, score, severity, note]: unknown[],
): Promise<unknown> {
  await actor(asker, world);
  const { typeId, teamId, tenantId, fieldIds } = world;
  const own = {
    [fieldIds.host]: host,
    [fieldIds.score]: score,
    [fieldIds.severity]: severity,
    [fieldIds.note]: note,
  };
  const { id, view } = await asker.transaction(async () => {
    await asker.rows(TYPES.held, [typeId, tenantId]);
    await asker.rows(TYPES.fields, [[typeId]]);
    const record = [typeId, teamId, null, null, null, null, false, JSON.stringify(own)];
    const newId = await asker.run(RECORDS.insert, [[record]]);
    const rows: [number, Buffer | null][] = [
      [fieldIds.storyName, null],
      [fieldIds.host, key(host)],
      [fieldIds.score, SCORE_KEY],
      [fieldIds.severity, key(severity)],
      [fieldIds.note, key(note)],
    ];
    await asker.run(RECORDS.insertValues, [
      rows.map(([field, sortKey]) => [newId, field, false, sortKey, null]),
    ]);
    await asker.run(RECORDS.insertCount, [[[typeId, false, randomInt(SHARDS), 1]]]);
    return { id: newId, view: await recordView(asker, world, newId) };
  });
  await audit(asker, world, { type: 'record', id, path: '/api/v1/records' });
  return view;
}

export async function createCase(
  asker: Asker,
  world: RestWorld,
  { name, description, metadata }: Record<string, unknown>,
): Promise<unknown> {
  await actor(asker, world);
  const { tenantId, teamId, userId } = world;
  const { id, view } = await asker.transaction(async () => {
    await asker.rows(CASES.team, [teamId]);
    await asker.run(CASES.hold, [[[teamId, randomInt(SHARDS)]]]);
    const texts = [name, description, 'OPEN', 'HIGH', JSON.stringify(metadata), '[]'];
    const row = [tenantId, teamId, ...texts, null, userId, new Date(), null];
    const newId = await asker.run(CASES.insert, [row]);
    await asker.run(CASES.assign, [[[newId, userId]]]);
    await asker.rows(CASES.one, [newId, tenantId]);
    const activity = await asker.run(CASES.note, [[newId, 'CREATED', String(newId), userId]]);
    await asker.run(CASES.tell, [activity, newId, userId]);
    await asker.run(CASES.touch, [newId]);
    return { id: newId, view: await caseView(asker, world, newId) };
  });
  await audit(asker, world, { type: 'case', id, path: '/api/v2/cases' });
  return view;
}
