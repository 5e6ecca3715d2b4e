// `npm run dev:console [-- ORIGIN]`: serves the console with changes shown at once. API and sessions come from ORIGIN, the
// people's origin of a running server; http://127.0.0.1:3001 unless given.
import { createServer } from 'vite';
import { consoleConfig } from './console-config.mjs';

const target = process.argv[2] ?? 'http://127.0.0.1:3001';
const proxy = Object.fromEntries(
  ['/api', '/session', '/admin'].map((path) => [path, { target, changeOrigin: true }]),
);
const config = consoleConfig();
const server = await createServer({
  ...config,
  base: '/console/',
  // The server fills these in for each request.
  plugins: [
    ...config.plugins,
    {
      name: 'placeholders',
      transformIndexHtml: (html) => html.replace('__BASE__', '/console/').replace('__CSP_NONCE__', ''),
    },
  ],
  server: { host: '127.0.0.1', proxy },
});
await server.listen();
server.printUrls();
