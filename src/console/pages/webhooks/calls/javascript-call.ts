import { type CallWriter, hasBody } from './call-writer.js';

const fetchOf = (method: string, url: string, headers: string[]) => {
  const all = [...headers, ...(hasBody(method) ? [`'Content-Type': 'application/json'`] : [])];
  return [
    `const response = await fetch(${url}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(all.length > 0 ? [`  headers: { ${all.join(', ')} },`] : []),
    ...(hasBody(method) ? ['  body,'] : []),
    '});',
    'process.stdout.write(`${response.status} ${await response.text()}\\n`);',
  ];
};
const BODY = `JSON.stringify({ severity: 'high' })`;
const bodyLine = (method: string) => (hasBody(method) ? [`const body = ${BODY};`] : []);

/** Calls for Node 18 and later, as modules. */
export const JAVASCRIPT: CallWriter = {
  address: ({ method, url, secret }) =>
    [
      ...bodyLine(method),
      ...fetchOf(method, JSON.stringify(`${url}/${encodeURIComponent(secret)}`), []),
    ].join('\n'),
  basic: ({ method, url, secret }) =>
    [
      ...bodyLine(method),
      `const proof = Buffer.from(${JSON.stringify(`any:${secret}`)}).toString('base64');`,
      ...fetchOf(method, JSON.stringify(url), ['Authorization: `Basic ${proof}`']),
    ].join('\n'),
  signature: ({ method, url, secret }) =>
    [
      `import { createHmac } from 'node:crypto';`,
      '',
      `const url = ${JSON.stringify(url)};`,
      `const body = ${hasBody(method) ? BODY : `''`};`,
      'const ts = Math.floor(Date.now() / 1000);',
      `const hmac = createHmac('sha256', ${JSON.stringify(secret)}).update(\`\${ts}.\${url}.\${body}\`).digest('hex');`,
      ...fetchOf(method, 'url', ["'X-Service-Signature': `ts=${ts};sig1=${hmac}`"]),
    ].join('\n'),
};
