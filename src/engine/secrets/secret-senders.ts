import type { MailSender, RequestSender } from '../../agents/agent.js';
import { allowsDomain, allowsHost } from '../../credentials/allowed-hosts.js';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import type { HttpClient, HttpRequest } from '../../platform/outbound/http-exchange.js';
import type { Mail, Mailer } from '../../platform/outbound/mail.js';
import { parsedJson } from '../../language/values/json-result.js';
import { withMarkers } from '../../platform/text/secret-reference.js';
import { createHostWords } from './spelled-hosts.js';
import type { OpenedSecrets } from './opened-secrets.js';
import type { Secret } from './team-secrets.js';

/**
 * The HTTP client as actions see it: it makes secrets of references in the options, at the last moment, and keeps them
 * to the hosts that they are bound to, at each hop (decision 0026). Without `secrets` nothing is looked for.
 */
export function createRequestSender(http: HttpClient, secrets: OpenedSecrets | undefined): RequestSender {
  return {
    async send(options, build) {
      const request = built(build, options, await openOptions(options, secrets));
      const used = secrets?.list() ?? [];
      const { host } = new URL(request.url);
      if (used.length === 0) return { answer: await http.request(request), host };
      const texts = (secrets?.texts() ?? []).map(([, text]) => text.trim());
      const hosts = createHostWords(options, texts);
      const careful = { ...withReadableAnswer(request), secretHeaders: headersWith(texts, request) };
      const answer = await http.request(guarded(careful, used, hosts.words));
      return { answer: hosts.ofAnswer(answer), host: hosts.words(host) };
    },
  };
}

/** The same for mails, whose hosts are the domains of their recipients. */
export function createMailSender(mailer: Mailer, secrets: OpenedSecrets | undefined): MailSender {
  return {
    async send(options, build, signal) {
      const made = built(build, options, await openOptions(options, secrets));
      for (const secret of secrets?.list() ?? []) checkRecipients(made.mail, secret);
      return { built: made, refused: await mailer.send(made.mail, signal) };
    },
  };
}

/**
 * What is made of the options with their secrets. A fault is told as the options without them have it: it may quote a part of
 * a secret, and parts are not known again.
 */
function built<Options, Made>(build: (options: Options) => Made, options: Options, opened: Options): Made {
  if (opened === options) return build(options);
  try {
    return build(opened);
  } catch (error) {
    if (!(error instanceof PermanentJobError)) throw error;
    build(options);
    throw new PermanentJobError('The options cannot be sent with what their credentials hold');
  }
}

/** An option that is one reference and nothing else may stand for a list or an object, as it would in a template. */
async function openOptions<Options>(options: Options, secrets: OpenedSecrets | undefined): Promise<Options> {
  if (secrets === undefined) return options;
  const opened = await secrets.open(options);
  if (opened === options || !isJsonObject(options) || !isJsonObject(opened)) return opened;
  const values = Object.entries(opened).map(([name, value]) => [
    name,
    isOneReference(options[name]) && typeof value === 'string' ? parsedJson(value) : value,
  ]);
  return Object.fromEntries(values) as Options & JsonObject;
}

function isOneReference(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /^\s*~[^~]+~[^~]+~\s*$/.test(value) && withMarkers(value) !== value;
}

/** A secret is not known again in an answer that is compressed in a way that is not read here. */
function withReadableAnswer(request: HttpRequest): HttpRequest {
  const { 'accept-encoding': _, ...headers } = request.headers;
  return { ...request, headers };
}

/** The headers that one of the texts stands in. They are written as bytes of UTF-8. */
function headersWith(texts: readonly string[], { headers }: HttpRequest): string[] {
  const written = texts.filter((text) => text !== '').map((text) => Buffer.from(text).toString('latin1'));
  return Object.keys(headers).filter((name) => written.some((text) => headers[name]?.includes(text)));
}

/** @throws PermanentJobError for a host that it is not meant for, before anything is connected. */
function guarded(
  request: HttpRequest,
  used: readonly Secret[],
  words: (host: string) => string,
): HttpRequest {
  const bound = used.filter(({ allowedHosts }) => allowedHosts.length > 0);
  if (bound.length === 0) return request;
  return {
    ...request,
    alwaysVerifyTls: true,
    checkHop: (url) => {
      for (const secret of bound) checkHost(url, secret, words);
    },
  };
}

function checkHost(url: URL, { name, allowedHosts }: Secret, words: (host: string) => string): void {
  if (allowsHost(allowedHosts, url)) return;
  throw new PermanentJobError(
    `The credential "${name}" may not be sent to ${words(url.host)}: see its allowed hosts`,
  );
}

function checkRecipients({ to, cc, bcc }: Mail, { name, allowedHosts }: Secret): void {
  if (allowedHosts.length === 0) return;
  for (const { address } of [...to, ...cc, ...bcc]) {
    const domain = address.slice(address.lastIndexOf('@') + 1);
    if (allowsDomain(allowedHosts, domain)) continue;
    throw new PermanentJobError(
      `The credential "${name}" may not be sent to addresses at ${domain}: see its allowed hosts`,
    );
  }
}
