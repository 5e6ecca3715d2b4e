/** Where the values come from that completion, fields and trials show. It stands in the address, never in the story. */
export type SampleSource =
  | { kind: 'run'; guid: string }
  | { kind: 'event'; id: number }
  /** A payload that this browser keeps under a name. */
  | { kind: 'saved'; name: string };

/** Returns the sample that an address names; undefined for none, and for what is no name of one. */
export function readSample(text: string | undefined): SampleSource | undefined {
  const [, kind, name = ''] = /^(run|event|saved):(.+)$/s.exec(text ?? '') ?? [];
  if (kind === 'run') return { kind, guid: name };
  if (kind === 'saved') return { kind, name };
  return kind === 'event' && Number.isSafeInteger(Number(name)) ? { kind, id: Number(name) } : undefined;
}

/** Returns the name of a sample in an address. */
export function writeSample(source: SampleSource): string {
  if (source.kind === 'run') return `run:${source.guid}`;
  return source.kind === 'event' ? `event:${source.id}` : `saved:${source.name}`;
}

/**
 * Returns what the server is asked for: the input that an action had, or `saved`: what a payload of this browser gives it, by
 * the name of the action that emits it.
 */
export function sampleQuery(
  source: SampleSource | undefined,
  actionGuid: string | undefined,
  saved?: Readonly<Record<string, unknown>>,
) {
  if (source === undefined) return {};
  if (source.kind === 'event') return { event_id: source.id };
  if (source.kind === 'run') {
    return actionGuid === undefined ? {} : { run_guid: source.guid, action: actionGuid };
  }
  return { event: { ...saved } };
}
