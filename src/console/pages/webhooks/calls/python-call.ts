import { type CallWriter, hasBody } from './call-writer.js';

/** Text of JSON is text of Python, too, but for halves of characters. */
const quoted = (text: string) => JSON.stringify(text);

const send = (method: string, url: string, headers: string[]) => {
  const all = [...headers, ...(hasBody(method) ? ['"Content-Type": "application/json"'] : [])];
  const given = [
    url,
    `method=${quoted(method)}`,
    ...(hasBody(method) ? ['data=body.encode()'] : []),
    ...(all.length > 0 ? [`headers={${all.join(', ')}}`] : []),
  ];
  return [
    `request = urllib.request.Request(${given.join(', ')})`,
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ];
};
const bodyOf = (method: string) => (hasBody(method) ? ['body = json.dumps({"severity": "high"})'] : []);
const imports = (method: string, ...more: string[]) =>
  `import ${[...more, ...(hasBody(method) ? ['json'] : []), 'urllib.request'].join(', ')}`;

/** Calls for Python 3 without packages. */
export const PYTHON: CallWriter = {
  address: ({ method, url, secret }) =>
    [
      imports(method),
      '',
      ...bodyOf(method),
      ...send(method, quoted(`${url}/${encodeURIComponent(secret)}`), []),
    ].join('\n'),
  basic: ({ method, url, secret }) =>
    [
      imports(method, 'base64'),
      '',
      ...bodyOf(method),
      `proof = base64.b64encode(${quoted(`any:${secret}`)}.encode()).decode()`,
      ...send(method, quoted(url), ['"Authorization": f"Basic {proof}"']),
    ].join('\n'),
  signature: ({ method, url, secret }) =>
    [
      imports(method, 'hashlib', 'hmac', 'time'),
      '',
      `url = ${quoted(url)}`,
      ...(hasBody(method) ? bodyOf(method) : ['body = ""']),
      'ts = int(time.time())',
      `sign = hmac.new(${quoted(secret)}.encode(), f"{ts}.{url}.{body}".encode(), hashlib.sha256).hexdigest()`,
      ...send(method, 'url', ['"X-Service-Signature": f"ts={ts};sig1={sign}"']),
    ].join('\n'),
};
