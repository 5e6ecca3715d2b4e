import { createHash } from 'node:crypto';
import type { MailProgress, MailState } from '../../../agents/face.js';

/** Most characters that are stored; beyond it a later attempt sends the mails of the last rounds again. */
const MAX_CHARACTERS = 1024 * 1024;
const DIGEST_CHARACTERS = 20;

/** Digests of addresses by round and state. Digests, because an address may come from a credential (rule 10). */
type Stored = Record<string, Partial<Record<MailState, string[]>>>;

/** The progress of one delivery's mails, as its row holds it between attempts. */
export class StoredMailProgress implements MailProgress {
  private readonly states = new Map<string, Map<string, MailState>>();
  private changed = false;

  /** @param text what `changedText` gave at an earlier attempt. */
  constructor(private readonly text: string | null) {
    if (text === null) return;
    for (const [round, digests] of Object.entries(JSON.parse(text) as Stored)) {
      const known = this.roundOf(round);
      for (const digest of digests.has ?? []) known.set(digest, 'has');
      for (const digest of digests.refused ?? []) known.set(digest, 'refused');
    }
  }

  stateOf(round: string, address: string): MailState | undefined {
    return this.states.get(round)?.get(digestOf(address));
  }

  note(round: string, addresses: readonly string[], state: MailState): void {
    if (addresses.length === 0) return;
    this.changed = true;
    const known = this.roundOf(round);
    for (const address of addresses) known.set(digestOf(address), state);
  }

  /** Returns the text to store; undefined if nothing was noted. */
  changedText(): string | undefined {
    if (!this.changed) return undefined;
    const stored = [...this.states].map(([round, known]): [string, Stored[string]] => [
      round,
      { has: digestsOf(known, 'has'), refused: digestsOf(known, 'refused') },
    ]);
    const text = JSON.stringify(Object.fromEntries(stored));
    return text.length > MAX_CHARACTERS ? (this.text ?? undefined) : text;
  }

  private roundOf(round: string): Map<string, MailState> {
    const known = this.states.get(round) ?? new Map<string, MailState>();
    this.states.set(round, known);
    return known;
  }
}

function digestsOf(known: ReadonlyMap<string, MailState>, wanted: MailState): string[] {
  return [...known].filter(([, state]) => state === wanted).map(([digest]) => digest);
}

function digestOf(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, DIGEST_CHARACTERS);
}
