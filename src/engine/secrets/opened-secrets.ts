import { messageOf, PermanentJobError } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import { withoutOwnReferences } from '../../platform/secrets/secret-signer.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { computeDeferred, deferredCost } from '../../language/face.js';
import {
  holdsReference,
  type ReferenceContent,
  replaceReferences,
} from '../../platform/secrets/secret-reference.js';
import type { Obtained } from '../../data/face.js';
import { createRedactor } from './redaction/redactor.js';
import { mapTexts, textsOf } from './redaction/texts-of.js';
import type { Secret, TeamSecrets } from './team-secrets.js';

/** Most levels of nested functions. */
const MAX_DEPTH = 12;
/** Most characters of all resolved references of one agent. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Most texts that functions make of credentials for one request; all are redacted in its response. Signatures count more. */
const MAX_MADE = 100;

export interface OpenedSecretsDeps {
  teamId: number;
  /** Absent only where no credential is fetched. */
  tenantId?: number;
  secrets: TeamSecrets;
  /** Returns the content of a reference's body; undefined if this server has not signed it. */
  verify: (body: string) => ReferenceContent | undefined;
  /** Whether a credential without allowed hosts is refused. */
  requireHosts: boolean;
}

/** The secrets that one agent's clients have resolved to text. */
export type OpenedSecrets = ReturnType<typeof createOpenedSecrets>;

/** Resolves references to secrets, and redacts the secrets in responses (decision 0026). */
export function createOpenedSecrets(deps: OpenedSecretsDeps) {
  const opened = new Map<string, Secret>();
  const obtained = new Map<string, Obtained>();
  const known = new Map<string, string>();
  /** Credential by text, also of tokens that were renewed or could not be: they may still be valid. */
  const own = new Map<string, string>();
  const texts: [credential: string, text: string][] = [];
  let redactor = createRedactor();
  let charactersLeft = MAX_CHARACTERS;
  let made = 0;

  const contentOf = (body: string): ReferenceContent | undefined => {
    const content = deps.verify(body);
    return content?.team === deps.teamId ? content : undefined;
  };

  /** @throws PermanentJobError for a credential that does not exist, or may not be used. */
  const load = async (names: ReadonlySet<string>): Promise<void> => {
    for (const name of names) {
      if (opened.has(name)) continue;
      const secret = await deps.secrets.find(deps.teamId, name);
      if (secret === undefined) throw new PermanentJobError(`This team has no credential "${name}"`);
      if (deps.requireHosts && secret.allowedHosts.length === 0) throw withoutHosts(name);
      if (secret.obtain !== undefined) obtained.set(name, await secret.obtain(deps.tenantId ?? 0));
      opened.set(name, secret);
    }
  };

  const textOf = (name: string): string => obtained.get(name)?.text ?? clearOf(opened.get(name));

  const counted = (text: string): string => {
    charactersLeft -= text.length;
    if (charactersLeft >= 0) return text;
    throw new PermanentJobError(
      `Its credentials exceed ${MAX_CHARACTERS} characters, the limit for one action`,
    );
  };
  const noted = (credential: string, text: string): string => {
    texts.push([credential, text]);
    redactor.add(credential, text);
    return text;
  };

  /** Forgets texts that functions made for earlier requests, if there are many; credentials themselves stay redacted. */
  const startRequest = (): void => {
    if (made < MAX_MADE / 2) return;
    made = 0;
    redactor = createRedactor();
    texts.length = 0;
    known.clear();
    for (const name of opened.keys()) own.set(textOf(name), name);
    for (const [text, credential] of own) noted(credential, text);
  };

  const secretOf = (content: ReferenceContent, depth: number): string => {
    const { credential, call } = content;
    if (call === undefined) {
      const text = textOf(credential);
      own.set(text, credential);
      return noted(credential, text);
    }
    if (depth > MAX_DEPTH)
      throw new PermanentJobError(`Credential functions are nested more than ${MAX_DEPTH} deep`);
    const values = call.values.map((value) => mapTexts(value, (text) => openText(text, depth + 1)));
    made += deferredCost(call.name, values);
    if (made > MAX_MADE)
      throw new PermanentJobError(`More than ${MAX_MADE} credential functions in one request`);
    return noted(credential, workedOut(credential, call.name, values));
  };

  const openText = (text: string, depth: number): string =>
    replaceReferences(text, ({ body, escapes }) => {
      const content = contentOf(body);
      if (content === undefined) return undefined;
      const secret = known.get(body) ?? secretOf(content, depth);
      known.set(body, secret);
      let text = counted(secret);
      // JSON inside JSON is escaped more than once.
      for (let times = 0; times < escapes; times += 1) text = counted(JSON.stringify(text).slice(1, -1));
      return text;
    });

  return {
    /**
     * Returns the value with its references resolved, also in keys. References that this server has not signed for this
     * team stay. @throws PermanentJobError, TemplateError, and what reading a credential throws.
     */
    async open<Value>(value: Value): Promise<Value> {
      const names = namesIn(value as JsonValue, contentOf);
      if (names === undefined) return value;
      startRequest();
      await load(names);
      return mapTexts(value as JsonValue, (text) => openText(text, 0)) as Value;
    },

    /** Returns the credentials resolved so far. */
    list: (): Secret[] => [...opened.values()],

    /** Redacts a text that was made of a credential for a request: a signature. */
    note: (credential: string, text: string): void => void noted(credential, text),

    /** Returns what was obtained for credentials that are no texts. */
    obtained: (): [credential: string, obtained: Obtained][] => [...obtained],

    /** Forgets tokens that a receiver refused, unless they are new. Returns whether others will be fetched. */
    async renew(): Promise<boolean> {
      let renewed = false;
      for (const [name, { renew }] of obtained) {
        if (renew === undefined || !(await renew())) continue;
        obtained.delete(name);
        opened.delete(name);
        known.clear();
        renewed = true;
      }
      return renewed;
    },

    /** Returns the resolved texts, for another thread of this process. */
    texts: (): readonly [credential: string, text: string][] => texts,

    /** Returns JSON text from outside with markers instead of references that this server has signed. */
    admit: (json: string): string => withoutOwnReferences(json, deps),

    /** Returns a text for people, without secrets and references. */
    redactText: (text: string): string => redactor.text(text),

    /** Returns a value from outside without secrets and references in texts, keys and numbers. */
    redactValue: <Value extends JsonValue>(value: Value): Value => redactor.value(value),
  };
}

/** Omits the original error: it may quote part of a secret, and parts are not redacted (decision 0026). */
function workedOut(credential: string, name: string, values: unknown[]): string {
  try {
    return computeDeferred(name, values);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new PermanentJobError(`${name} cannot be computed from the credential "${credential}"`);
  }
}

/** Returns the secret in clear. If it cannot be decrypted, the configuration is wrong, and a retry does not help. */
function clearOf(secret: Secret | undefined): string {
  try {
    return secret?.open() ?? '';
  } catch (error) {
    throw new PermanentJobError(messageOf(error), { cause: error });
  }
}

function withoutHosts(name: string): PermanentJobError {
  return new PermanentJobError(
    `The credential "${name}" has no allowed hosts, which this server requires (REQUIRE_CREDENTIAL_HOSTS)`,
  );
}

/** Returns the names of credentials that a value refers to; undefined without signed references. */
function namesIn(
  value: JsonValue,
  contentOf: (body: string) => ReferenceContent | undefined,
): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const text of textsOf(next)) {
      if (!holdsReference(text)) continue;
      replaceReferences(text, ({ body }) => {
        const content = contentOf(body);
        if (content?.call !== undefined) pending.push(content.call.values);
        else if (content !== undefined) names.add(content.credential);
        return undefined;
      });
    }
  }
  return names.size === 0 ? undefined : names;
}
