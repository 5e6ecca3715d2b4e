import type { CurlArguments, CurlOption } from './curl-options.js';

/** A field of `-F`. */
export interface FormPart {
  name: string;
  /** The text; of a file the empty text. */
  text: string;
  /** The name of a file. */
  file?: string;
  type?: string;
}

/** What a curl command asks for. */
export interface CurlRequest {
  urls: string[];
  method: string | undefined;
  headers: [name: string, value: string][];
  /** The body of `-d` and its kin; undefined: none was given. */
  body: string | undefined;
  isJson: boolean;
  form: FormPart[];
  /** The text that `-G` and `--url-query` add to the query. */
  query: string[];
  isGet: boolean;
  isHead: boolean;
  isUpload: boolean;
  user: string | undefined;
  isDigest: boolean;
  sigv4: boolean;
  /** Names a client certificate. */
  hasCertificate: boolean;
  isInsecure: boolean;
  fails: boolean;
  followsRedirects: boolean;
  /** Seconds. */
  timeout: number | undefined;
  retries: number | undefined;
  remarks: string[];
}

/** What cannot be imported, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  proxy: 'The proxy is left out: only the operator of this server can set one.',
  preproxy: 'The proxy is left out: only the operator of this server can set one.',
  socks5: 'The proxy is left out: only the operator of this server can set one.',
  'socks5-hostname': 'The proxy is left out: only the operator of this server can set one.',
  'unix-socket': 'The Unix socket is left out: requests go to the address only.',
  resolve: 'The fixed IP address is left out: this server resolves the name itself.',
  'connect-to':
    'The other host of the connection is left out: this server connects to the host of the address.',
  interface: 'The network interface is left out.',
  config: 'The options of a configuration file are left out. Paste them into the command.',
  netrc: 'User and password of a .netrc file are left out. Choose a credential.',
  'netrc-optional': 'User and password of a .netrc file are left out. Choose a credential.',
  'netrc-file': 'User and password of a .netrc file are left out. Choose a credential.',
  ntlm: 'NTLM is not supported.',
  negotiate: 'Kerberos (Negotiate) is not supported.',
  cacert:
    'The certificate authority is left out. Put its certificate into a credential of the mode MTLS, and name it in mutual_tls.',
  capath:
    'The certificate authority is left out. Put its certificate into a credential of the mode MTLS, and name it in mutual_tls.',
};

/** Reads the options of a command. `stdin` is what a here-document gives. */
export function curlRequest({ options, unknown }: CurlArguments, stdin: string | undefined): CurlRequest {
  const request = emptyRequest();
  const { first, hasMore } = firstOf(options);
  for (const { name, value } of first) {
    const refusal = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (refusal !== undefined) note(request, refusal);
    else if (Object.hasOwn(READ, name)) READ[name]?.(request, value, stdin);
  }
  if (hasMore) note(request, 'Only the first request is imported: --next begins another.');
  if (request.urls.length > 1) note(request, 'Only the first address is imported.');
  for (const option of unknown) note(request, `curl has no option ${option}: it is left out.`);
  return request;
}

function emptyRequest(): CurlRequest {
  return {
    urls: [],
    method: undefined,
    headers: [],
    body: undefined,
    isJson: false,
    form: [],
    query: [],
    isGet: false,
    isHead: false,
    isUpload: false,
    user: undefined,
    isDigest: false,
    sigv4: false,
    hasCertificate: false,
    isInsecure: false,
    fails: false,
    followsRedirects: true,
    timeout: undefined,
    retries: undefined,
    remarks: [],
  };
}

function firstOf(options: readonly CurlOption[]): { first: readonly CurlOption[]; hasMore: boolean } {
  const next = options.findIndex(({ name }) => name === 'next');
  return next === -1 ? { first: options, hasMore: false } : { first: options.slice(0, next), hasMore: true };
}

/** Adds a remark once. */
export function note({ remarks }: Pick<CurlRequest, 'remarks'>, remark: string): void {
  if (!remarks.includes(remark)) remarks.push(remark);
}

type Read = (request: CurlRequest, value: string, stdin: string | undefined) => void;

const dataWithFiles: Read = (request, value, stdin) => {
  addBody(request, value.startsWith('@') ? fileText(request, value.slice(1), stdin) : value, '&');
};

const READ: Readonly<Record<string, Read>> = {
  url: (request, value) => void request.urls.push(value),
  request: (request, value) => void (request.method = value),
  header: (request, value) => {
    if (value.startsWith('@')) note(request, `The headers of the file ${value.slice(1)} are left out.`);
    else addHeader(request, value);
  },
  data: dataWithFiles,
  'data-ascii': dataWithFiles,
  'data-binary': dataWithFiles,
  'data-raw': (request, value) => addBody(request, value, '&'),
  'data-urlencode': (request, value, stdin) => addBody(request, encodedPair(request, value, stdin), '&'),
  json: (request, value, stdin) => {
    request.isJson = true;
    addBody(request, value.startsWith('@') ? fileText(request, value.slice(1), stdin) : value, '');
  },
  form: (request, value) => void request.form.push(formPart(request, value)),
  'form-string': (request, value) => {
    const [name, text] = splitAt(value, '=');
    request.form.push({ name, text });
  },
  get: (request) => void (request.isGet = true),
  head: (request) => void (request.isHead = true),
  user: (request, value) => void (request.user = value),
  'oauth2-bearer': (request, value) => addHeader(request, `Authorization: Bearer ${value}`),
  digest: (request) => void (request.isDigest = true),
  'aws-sigv4': (request) => void (request.sigv4 = true),
  cookie: (request, value) => {
    if (value.includes('=')) addHeader(request, `Cookie: ${value}`);
    else note(request, `The cookies of the file ${value} are left out.`);
  },
  'user-agent': (request, value) => addHeader(request, `User-Agent: ${value}`),
  referer: (request, value) => addHeader(request, `Referer: ${value.replace(/;auto$/, '')}`),
  range: (request, value) => addHeader(request, `Range: bytes=${value}`),
  'url-query': (request, value, stdin) =>
    void request.query.push(value.startsWith('+') ? value.slice(1) : encodedPair(request, value, stdin)),
  'upload-file': (request, value, stdin) => {
    request.isUpload = true;
    addBody(request, fileText(request, value, stdin), '');
  },
  cert: (request) => void (request.hasCertificate = true),
  key: (request) => void (request.hasCertificate = true),
  insecure: (request) => void (request.isInsecure = true),
  fail: (request) => void (request.fails = true),
  'max-redirs': (request, value) => void (request.followsRedirects = value !== '0'),
  'max-time': (request, value) => void (request.timeout = numberIn(value)),
  retry: (request, value) => void (request.retries = numberIn(value)),
};

function numberIn(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

/** `Name: value`; `Name;` is an empty one, which this server leaves out, as curl does with `Name:`. */
function addHeader(request: CurlRequest, text: string): void {
  const [, name = '', value = ''] = /^([^:;]+)[:;]([\s\S]*)$/.exec(text) ?? [];
  if (name.trim() === '' || value.trim() === '') return;
  request.headers.push([name.trim(), value.trim()]);
}

function addBody(request: CurlRequest, text: string, joint: string): void {
  request.body = request.body === undefined ? text : `${request.body}${joint}${text}`;
}

/** The file is on the computer of whoever copied the command. */
function fileText(request: CurlRequest, file: string, stdin: string | undefined): string {
  if (file === '-' && stdin !== undefined) return stdin;
  note(request, `The content of ${file === '-' ? 'the standard input' : `the file ${file}`} is left out.`);
  return '';
}

/** `--data-urlencode`: `name=text`, `=text`, `text`, `name@file`, `@file`. */
function encodedPair(request: CurlRequest, value: string, stdin: string | undefined): string {
  const [, name = '', sign = '', rest = ''] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? [];
  if (sign === '') return encodeURIComponent(value);
  const text = sign === '@' ? fileText(request, rest, stdin) : rest;
  return name === '' ? encodeURIComponent(text) : `${name}=${encodeURIComponent(text)}`;
}

/** `name=text`, `name=@file`, `name=<file`, each with `;type=` and `;filename=` behind it. */
function formPart(request: CurlRequest, value: string): FormPart {
  const [name, given] = splitAt(value, '=');
  const isFile = /^[@<]/.test(given);
  const [, text = given, rest = ''] = isFile
    ? (/^[@<]("(?:\\.|[^"\\])*"|[^;,]*)([\s\S]*)$/.exec(given) ?? [])
    : (/^([\s\S]*?)((?:;(?:type|filename|encoder)=[^;]*)*)$/.exec(given) ?? []);
  const plain = text.replace(/^"([\s\S]*)"$/, '$1');
  const type = /;\s*type=([^;]+)/.exec(rest)?.[1]?.trim();
  const file = /;\s*filename="?([^;"]+)"?/.exec(rest)?.[1] ?? lastPart(plain);
  const typed = type === undefined ? {} : { type };
  if (!isFile) return { name, text: plain, ...typed };
  note(request, `The content of the file ${plain} is left out. Fill it in at payload.${name}.`);
  return given.startsWith('@') ? { name, text: '', file, ...typed } : { name, text: '', ...typed };
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) || 'file';
}

function splitAt(text: string, sign: string): [before: string, after: string] {
  const at = text.indexOf(sign);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + sign.length)];
}
