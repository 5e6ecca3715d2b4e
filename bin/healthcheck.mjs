// `node bin/healthcheck.mjs [--ready]`: asks the web process on this machine whether it lives (`/healthz`), or can serve
// (`/readyz`). Exit code 0: it does. For containers, whose images need no curl for it.
const LIMIT_MS = 4_000;

const route = process.argv.includes('--ready') ? 'readyz' : 'healthz';
const address = `http://127.0.0.1:${process.env.PORT || 3000}/${route}`;

try {
  const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT_MS) });
  const text = await response.text();
  if (!response.ok) fail(`${response.status} ${text}`);
} catch (error) {
  fail(error.cause?.message ?? error.message);
}

function fail(reason) {
  process.stderr.write(`${address}: ${reason}\n`);
  process.exitCode = 1;
}
