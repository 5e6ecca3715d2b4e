import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { GoldenFile } from './golden.js';

const GALLERY = path.resolve(__dirname, '../../assets/gallery');

/** One run of a story of the gallery, and what must come of it. What it leaves out is that of the sample. */
export interface GalleryRun {
  why: string;
  /** The body of the webhook call, instead of the sample event. */
  event?: JsonValue;
  /** The action at which it begins, instead of the first. */
  start?: { agent: string; payload: JsonValue };
  answers?: JsonValue[];
  requests: GoldenFile['requests'];
  mails: JsonObject[];
  /** Names of answers that a mail asks for; none unless given. */
  prompts?: string[];
  /** Events that must be among those of the run. */
  events?: GoldenFile['events'];
  /** Actions without a receiver that must be reached. All others must not. */
  exits: string[];
}

/** A story from the gallery. */
export interface GalleryFolder {
  /** The text of `story.json`. */
  text: string;
  event: JsonValue;
  answers: JsonValue[];
  values: { resources: Record<string, JsonValue>; credentials: Record<string, string> };
  needs: Record<string, string>;
  runs: GalleryRun[];
}

/** The stories of the gallery as `[name of the folder, its files]`. */
export function galleryFolders(): [string, GalleryFolder][] {
  return readdirSync(GALLERY, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }): [string, GalleryFolder] => [name, readFolder(name)]);
}

function readFolder(name: string): GalleryFolder {
  const read = (file: string) => readFileSync(path.join(GALLERY, name, file), 'utf8');
  return {
    text: read('story.json'),
    event: JSON.parse(read('event.json')),
    answers: JSON.parse(read('answers.json')),
    values: JSON.parse(read('values.json')),
    needs: JSON.parse(read('about.json')).needs,
    runs: JSON.parse(read('ends.json')),
  };
}
