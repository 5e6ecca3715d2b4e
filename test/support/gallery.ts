import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonValue } from '../../src/platform/json.js';

const GALLERY = path.resolve(__dirname, '../../assets/gallery');

/** A story from the gallery. */
export interface GalleryFolder {
  /** The text of `story.json`. */
  text: string;
  event: JsonValue;
  answers: JsonValue[];
  values: { resources: Record<string, JsonValue>; credentials: Record<string, string> };
  needs: Record<string, string>;
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
  };
}
