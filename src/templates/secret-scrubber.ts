/** Values this short stand in ordinary text by chance; replacing them would tell more than it hides. */
const SHORTEST_SECRET = 6;

/**
 * A function that replaces credential values in a message by `[credential name]`: as they are, and
 * URL-encoded, JSON-escaped or in base64 (alone, or as user and password of HTTP Basic's middle part).
 * For logs and errors only: it is a safety net, templates and agents must not put secrets there.
 */
export function createSecretScrubber(credentials: ReadonlyMap<string, string>): (text: string) => string {
  const names = new Map<string, string>();
  for (const [name, secret] of credentials) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(secret)) if (!names.has(form)) names.set(form, name);
  }
  // The longest first: one secret may be part of another.
  const forms = [...names].toSorted(([a], [b]) => b.length - a.length);
  return (text) =>
    forms.reduce((scrubbed, [form, name]) => scrubbed.replaceAll(form, () => `[credential ${name}]`), text);
}

/** `text` without the values of `credentials`; see createSecretScrubber. */
export function scrubSecrets(text: string, credentials: ReadonlyMap<string, string>): string {
  return createSecretScrubber(credentials)(text);
}

function formsOf(secret: string): string[] {
  const percent = percentEncoded(secret);
  return [
    secret,
    percent,
    percent.replaceAll('%20', '+'),
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    ...base64Forms(secret),
  ].filter((form) => form.length >= SHORTEST_SECRET);
}

function percentEncoded(secret: string): string {
  return encodeURIComponent(Buffer.from(secret).toString());
}

/**
 * The secret's base64 text at each of the three positions it can have inside a longer one, without the
 * characters at the ends that its neighbours share. Base64url besides.
 */
function base64Forms(secret: string): string[] {
  const shifted = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString('base64');
    const start = offset === 0 ? 0 : offset + 1;
    const bytes = offset + Buffer.byteLength(secret);
    return encoded.slice(start, Math.floor((bytes * 8) / 6));
  });
  const whole = Buffer.from(secret).toString('base64');
  const standard = [whole, whole.replace(/=+$/, ''), ...shifted].filter((form) => form.length >= 8);
  return [...standard, ...standard.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}
