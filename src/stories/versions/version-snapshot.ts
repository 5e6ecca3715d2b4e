import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';
import { inSlices, mapSteps, type Steps } from '../../platform/steps.js';
import {
  type ParsedStoryRows,
  type StoredStory,
  storedStory,
  type StoryRows,
} from '../export/story-export-store.js';
import { findStoryRows } from '../export/story-export-store.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The state of a story as one JSON text. */
export interface Snapshot {
  text: string;
  /** The part of the text that is neither actions nor links. */
  storyText: string;
  /** SHA-256 of the text. Two states of a story are equal if these are. */
  digest: string;
  /** Bytes of the text. */
  size: number;
}

/** Columns that hold JSON. Their texts are taken as they are: parsing a large story would hold up the event loop. */
const JSON_COLUMNS = new Set(['extra', 'options']);
/** Bytes that are hashed in one step. */
const HASHED_BYTES = 1024 * 1024;

/** Reads the story's state in the caller's transaction; undefined if there is no such story. */
export async function readSnapshot(storyId: number, session: Session): Promise<Snapshot | undefined> {
  const rows = await findStoryRows(storyId, session);
  if (rows === undefined) return undefined;
  return inSlices(snapshotOf(rows));
}

/** Returns the snapshot of these rows. */
export function* snapshotOf({ story, agents, links }: StoryRows): Steps<Snapshot> {
  const agentTexts = yield* mapSteps(agents, rowText);
  const linkTexts = yield* mapSteps(links, rowText);
  const storyText = rowText(story);
  const text = snapshotText({ storyText, agentTexts, linkTexts });
  const bytes = Buffer.from(text);
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASHED_BYTES) {
    yield;
    hash.update(bytes.subarray(at, at + HASHED_BYTES));
  }
  return { text, storyText, digest: hash.digest('hex'), size: bytes.length };
}

/** Returns the text of a snapshot, of the texts of its rows. */
export function snapshotText({
  storyText,
  agentTexts,
  linkTexts,
}: {
  storyText: string;
  agentTexts: string[];
  linkTexts: string[];
}): string {
  return `{"story":${storyText},"agents":[${agentTexts.join(',')}],"links":[${linkTexts.join(',')}]}`;
}

function rowText(row: object): string {
  const cells = Object.entries(row).map(
    ([column, value]: [string, string | number | null]) =>
      `"${column}":${JSON_COLUMNS.has(column) || typeof value !== 'string' ? String(value) : JSON.stringify(value)}`,
  );
  return `{${cells.join(',')}}`;
}

/** Returns the parts of an export that the snapshot holds. */
export function storyOfSnapshot(text: string): StoredStory {
  return storedStory(parseJson(text) as unknown as ParsedStoryRows);
}

/** Compresses a snapshot off the event loop; fast rather than small, because the story's row is locked meanwhile. */
export function packSnapshot(text: string): Promise<Buffer> {
  return compress(text, { level: constants.Z_BEST_SPEED });
}

/** Returns the text that `packSnapshot` was given. */
export async function unpackSnapshot(bytes: Buffer): Promise<string> {
  return (await decompress(bytes)).toString('utf8');
}
