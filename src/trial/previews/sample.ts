import { ancestry, type Lineage } from '../../agents/face.js';
import type { JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { Session } from '../../platform/mysql/session.js';
import { jsonWithMarkers } from '../../platform/secrets/secret-reference.js';
import { findPayloads } from '../../observe/face.js';

/** Total size of an event and those before it. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * How a sample was chosen. `given`: it is in the request; `event`: the request names it; `received`: what the action received in
 * the run; `upstream`: it received nothing, and this is the newest event of the nearest actions before it; `own`: what the webhook
 * itself emitted.
 */
export const SAMPLE_KINDS = ['given', 'event', 'received', 'upstream', 'own'] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

/** A stored event; of the action 0: the input of a run. */
export interface SampleEvent {
  id: number;
  storyRunGuid: string;
  agentId: number;
  lineage: Lineage;
  createdAt: Date;
}

/** What templates are rendered with, as they see it. Payloads are JSON text, with markers in place of secrets. */
export interface Sample {
  kind: SampleKind;
  /** Undefined: it came with the request. */
  event: SampleEvent | undefined;
  content: SampleContent;
  /** Whether a part is missing: retention has deleted it, or it is too large. */
  incomplete: boolean;
}

/** The JSON of all that templates see, or of each event of it by the slug of its action, oldest first. */
export type SampleContent = { json: string } | { parts: [slug: string, json: string][] };

/** Returns the sample that a request holds itself. */
export function givenSample(event: JsonObject): Sample {
  return { kind: 'given', event: undefined, content: { json: stringifyJson(event) }, incomplete: false };
}

/** Returns the event with those before it: of what is too large together, the nearest. */
export async function storedSample(session: Session, kind: SampleKind, event: SampleEvent): Promise<Sample> {
  const parts = ancestry(event.id, event.lineage);
  const before = parts.map(([, id]) => id).filter((id) => id !== event.id);
  const wanted = [event.id, ...new Set(before.toReversed())];
  const payloads = await findPayloads(session, wanted, MOST_BYTES);
  return {
    kind,
    event,
    content: {
      parts: parts.flatMap(([slug, id]): [string, string][] => {
        const json = payloads.get(id);
        return json === undefined ? [] : [[slug, jsonWithMarkers(json)]];
      }),
    },
    incomplete: payloads.size < wanted.length,
  };
}

/** Returns about how many bytes the sample takes. */
export function bytesOfSample({ content }: Sample): number {
  if ('json' in content) return 2 * content.json.length;
  return 2 * content.parts.reduce((sum, [, json]) => sum + json.length, 0);
}
