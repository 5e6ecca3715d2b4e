import type { JsonObject, JsonValue } from '../../platform/json.js';

/** An action or a note of the document. */
export interface PreviewPart {
  part: 'action' | 'note';
  /** Its place in `agents` or `notes`, from 0. */
  index: number;
  guid: string | null;
  /** Of an action. */
  name: string | null;
}

/** A text of a part. */
export interface PreviewText extends PreviewPart {
  /** `options.payload.fields[0].text` */
  path: string;
  keys: (string | number)[];
}

/** A place where a text has the name, with what stands around it. */
export interface RenamedPlace extends PreviewText {
  line: number;
  column: number;
  before: string;
  after: string;
}

/** A text in which a reference may exist that is not seen. */
export interface UnsureText extends PreviewText {
  reason: string;
}

/** Other actions that have the old or the new slug, and the places that may mean one of them. */
export interface SharedSlug {
  slug: string;
  actions: { index: number; guid: string | null; name: string }[];
  places: (RenamedPlace & { renamed: boolean })[];
}

/** What a rename changes. */
export interface RenamePreview {
  slug: { before: string; after: string };
  /** How many places change, the name itself included. */
  count: number;
  places: RenamedPlace[];
  /** The actions that change, whole. */
  agents: {
    index: number;
    guid: string | null;
    name: string;
    options: JsonObject;
    action_inputs?: JsonValue[];
    record_writers?: JsonValue[];
  }[];
  notes: { index: number; guid: string | null; content: string }[];
  shared: SharedSlug[];
  unsure: UnsureText[];
}
