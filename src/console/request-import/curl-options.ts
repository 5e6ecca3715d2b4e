/** Options of curl that take a value, with their short form. */
const WITH_VALUE: Readonly<Record<string, string>> = {
  request: 'X',
  header: 'H',
  data: 'd',
  'data-ascii': '',
  'data-raw': '',
  'data-binary': '',
  'data-urlencode': '',
  json: '',
  form: 'F',
  'form-string': '',
  user: 'u',
  cookie: 'b',
  'user-agent': 'A',
  referer: 'e',
  url: '',
  'url-query': '',
  'upload-file': 'T',
  'max-time': 'm',
  'max-redirs': '',
  retry: '',
  range: 'r',
  'oauth2-bearer': '',
  'aws-sigv4': '',
  cert: 'E',
  key: '',
  cacert: '',
  capath: '',
  proxy: 'x',
  'proxy-user': 'U',
  preproxy: '',
  socks5: '',
  'socks5-hostname': '',
  'unix-socket': '',
  resolve: '',
  'connect-to': '',
  interface: '',
  config: 'K',
  'netrc-file': '',
  'cookie-jar': 'c',
  output: 'o',
  'output-dir': '',
  'write-out': 'w',
  'dump-header': 'D',
  'continue-at': 'C',
  'connect-timeout': '',
  'retry-delay': '',
  'retry-max-time': '',
  'limit-rate': '',
  'speed-limit': 'Y',
  'speed-time': 'y',
  'keepalive-time': '',
  stderr: '',
  trace: '',
  'trace-ascii': '',
  'cert-type': '',
  'key-type': '',
  pass: '',
  ciphers: '',
  'tls-max': '',
  proto: '',
  'proto-redir': '',
  'proto-default': '',
  'dns-servers': '',
  'happy-eyeballs-timeout-ms': '',
  'max-filesize': '',
  noproxy: '',
  'time-cond': 'z',
};

/** Options of curl without a value, with their short form. */
const FLAGS: Readonly<Record<string, string>> = {
  get: 'G',
  head: 'I',
  insecure: 'k',
  fail: 'f',
  digest: '',
  ntlm: '',
  negotiate: '',
  netrc: 'n',
  'netrc-optional': '',
  next: ':',
  globoff: 'g',
  basic: '',
  anyauth: '',
  location: 'L',
  'location-trusted': '',
  compressed: '',
  include: 'i',
  silent: 's',
  'show-error': 'S',
  verbose: 'v',
  'no-progress-meter': '',
  'progress-bar': '#',
  'no-buffer': 'N',
  'remote-name': 'O',
  'remote-header-name': 'J',
  'remote-time': 'R',
  'create-dirs': '',
  'fail-with-body': '',
  'fail-early': '',
  http1: '',
  'http1.0': '0',
  'http1.1': '',
  http2: '',
  'http2-prior-knowledge': '',
  http3: '',
  ipv4: '4',
  ipv6: '6',
  tlsv1: '1',
  'tlsv1.2': '',
  'tlsv1.3': '',
  'ssl-no-revoke': '',
  'no-keepalive': '',
  'tcp-nodelay': '',
  'path-as-is': '',
  post301: '',
  post302: '',
  post303: '',
  parallel: 'Z',
  'retry-connrefused': '',
  'retry-all-errors': '',
  disable: 'q',
  'junk-session-cookies': 'j',
  'proxy-insecure': '',
  'use-ascii': 'B',
};

/** An option of a command; an address that stands alone is an option `url`. */
export interface CurlOption {
  name: string;
  value: string;
}

/** Options as given, in their order, and those that curl does not have. */
export interface CurlArguments {
  options: CurlOption[];
  unknown: string[];
}

const SHORT = new Map(
  [WITH_VALUE, FLAGS].flatMap((table) => Object.entries(table).map(([name, short]) => [short, name])),
);

/** Reads the words behind `curl`. */
export function curlArguments(words: readonly string[]): CurlArguments {
  const read: CurlArguments = { options: [], unknown: [] };
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word.startsWith('--') && word.length > 2) readLong(word.slice(2), left, read);
    else if (word.startsWith('-') && word.length > 1 && word !== '--') readShort(word.slice(1), left, read);
    else if (word !== '--' && word !== '') read.options.push({ name: 'url', value: word });
  }
  return read;
}

function readLong(written: string, left: string[], read: CurlArguments): void {
  const [, before = written, joined] = /^([^=]+)=([\s\S]*)$/.exec(written) ?? [];
  if (Object.hasOwn(WITH_VALUE, before)) {
    read.options.push({ name: before, value: joined ?? left.shift() ?? '' });
    return;
  }
  const name = written.replace(/^no-(?!buffer$|keepalive$|progress-meter$)/, '');
  if (Object.hasOwn(FLAGS, name)) {
    // `--no-location` takes an option back.
    if (name === written) read.options.push({ name, value: '' });
    return;
  }
  read.unknown.push(`--${before}`);
  if (joined === undefined && isValue(left[0])) left.shift();
}

/** `-sSXPOST`: flags, and at the end one with its value. */
function readShort(letters: string, left: string[], read: CurlArguments): void {
  for (let at = 0; at < letters.length; at += 1) {
    const name = SHORT.get(letters[at] ?? '');
    if (name === undefined) {
      read.unknown.push(`-${letters[at]}`);
      continue;
    }
    if (!Object.hasOwn(WITH_VALUE, name)) {
      read.options.push({ name, value: '' });
      continue;
    }
    const joined = letters.slice(at + 1);
    read.options.push({ name, value: joined === '' ? (left.shift() ?? '') : joined });
    return;
  }
}

/** Whether a word behind an unknown option is rather its value than the address. */
function isValue(word: string | undefined): boolean {
  return word !== undefined && !word.startsWith('-') && !/^https?:|^[\w.-]+\.\w+(?:[:/]|$)/i.test(word);
}
