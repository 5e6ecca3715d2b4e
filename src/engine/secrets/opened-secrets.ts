import { messageOf, PermanentJobError } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import { withoutOwnReferences } from '../../credentials/secret-signer.js';
import { computeDeferred } from '../../language/secrets/deferred-functions.js';
import { TemplateError } from '../../language/template-error.js';
import {
  holdsReference,
  type ReferenceContent,
  replaceReferences,
} from '../../platform/text/secret-reference.js';
import { createRedactor } from './redactor.js';
import { mapTexts, textsOf } from './texts-of.js';
import type { Secret, TeamSecrets } from './team-secrets.js';

/** Functions within functions. */
const MAX_DEPTH = 12;
/** Of all that one action's references come to, in characters. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Texts that functions make of credentials for one request: all of them are looked for in its answer. */
const MAX_MADE = 100;

export interface OpenedSecretsDeps {
  teamId: number;
  secrets: TeamSecrets;
  /** The content of a reference's body; undefined for what this server has not signed. */
  verify: (body: string) => ReferenceContent | undefined;
  /** Whether a credential without allowed hosts is refused. */
  requireHosts: boolean;
}

/** The secrets that one action's clients have made text of. */
export type OpenedSecrets = ReturnType<typeof createOpenedSecrets>;

/** Makes secrets of references, and takes them out again of what comes back (decision 0026). */
export function createOpenedSecrets(deps: OpenedSecretsDeps) {
  const opened = new Map<string, Secret>();
  const known = new Map<string, string>();
  const texts: [credential: string, text: string][] = [];
  let redactor = createRedactor();
  let charactersLeft = MAX_CHARACTERS;
  let made = 0;

  const contentOf = (body: string): ReferenceContent | undefined => {
    const content = deps.verify(body);
    return content?.team === deps.teamId ? content : undefined;
  };

  /** @throws PermanentJobError for a credential that is gone, or may not be used. */
  const load = async (names: ReadonlySet<string>): Promise<void> => {
    for (const name of names) {
      if (opened.has(name)) continue;
      const secret = await deps.secrets.find(deps.teamId, name);
      if (secret === undefined) throw new PermanentJobError(`There is no credential "${name}" in this team`);
      if (deps.requireHosts && secret.allowedHosts.length === 0) throw withoutHosts(name);
      opened.set(name, secret);
    }
  };

  const counted = (text: string): string => {
    charactersLeft -= text.length;
    if (charactersLeft >= 0) return text;
    throw new PermanentJobError(
      `Its credentials come to more than ${MAX_CHARACTERS} characters: too many for one action`,
    );
  };
  const noted = (credential: string, text: string): string => {
    texts.push([credential, text]);
    redactor.add(credential, text);
    return text;
  };

  /** What the requests before were sent is looked for in their own answers; the credentials are, from then on. */
  const startRequest = (): void => {
    if (made < MAX_MADE / 2) return;
    made = 0;
    redactor = createRedactor();
    texts.length = 0;
    known.clear();
    for (const [name, secret] of opened) noted(name, clearOf(secret));
  };

  const secretOf = (content: ReferenceContent, depth: number): string => {
    const { credential, call } = content;
    if (call === undefined) return noted(credential, clearOf(opened.get(credential)));
    if (depth > MAX_DEPTH) throw new PermanentJobError(`More than ${MAX_DEPTH} functions within functions`);
    const values = call.values.map((value) => mapTexts(value, (text) => openText(text, depth + 1)));
    made += 1;
    if (made > MAX_MADE)
      throw new PermanentJobError(`More than ${MAX_MADE} functions of credentials in one request`);
    return noted(credential, workedOut(credential, call.name, values));
  };

  const openText = (text: string, depth: number): string =>
    replaceReferences(text, ({ body, escapes }) => {
      const content = contentOf(body);
      if (content === undefined) return undefined;
      const secret = known.get(body) ?? secretOf(content, depth);
      known.set(body, secret);
      let text = counted(secret);
      // JSON inside of JSON escapes more than once.
      for (let times = 0; times < escapes; times += 1) text = counted(JSON.stringify(text).slice(1, -1));
      return text;
    });

  return {
    /**
     * The value with its references made text, also in keys. What this server has not signed for this team stays.
     * @throws PermanentJobError, TemplateError, and what reading a credential throws.
     */
    async open<Value>(value: Value): Promise<Value> {
      const names = namesIn(value as JsonValue, contentOf);
      if (names === undefined) return value;
      startRequest();
      await load(names);
      return mapTexts(value as JsonValue, (text) => openText(text, 0)) as Value;
    },

    /** The credentials that were made text of so far. */
    list: (): Secret[] => [...opened.values()],

    /** What they came to, for another thread of this process. */
    texts: (): readonly [credential: string, text: string][] => texts,

    /** JSON text from outside: markers in the place of references that this server has signed. */
    admit: (json: string): string => withoutOwnReferences(json, deps),

    /** A text for people: without the secrets, and without references. */
    redactText: (text: string): string => redactor.text(text),

    /** What came from outside: the same for its texts, keys, and numbers that are a secret. */
    redactValue: <Value extends JsonValue>(value: Value): Value => redactor.value(value),
  };
}

/** The fault is not quoted: it may name a part of a secret, and parts are not known again (decision 0026). */
function workedOut(credential: string, name: string, values: unknown[]): string {
  try {
    return computeDeferred(name, values);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new PermanentJobError(`${name} cannot be worked out of the credential "${credential}"`);
  }
}

/** One that cannot be decrypted is a matter of configuration: no attempt of ours will cure it. */
function clearOf(secret: Secret | undefined): string {
  try {
    return secret?.open() ?? '';
  } catch (error) {
    throw new PermanentJobError(messageOf(error), { cause: error });
  }
}

function withoutHosts(name: string): PermanentJobError {
  return new PermanentJobError(
    `The credential "${name}" has no allowed hosts, and this server sends none without (REQUIRE_CREDENTIAL_HOSTS)`,
  );
}

/** The credentials behind the references in a value; undefined when it holds none of ours. */
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
