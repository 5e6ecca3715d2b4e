import { createHash } from 'node:crypto';

/** The page of the reader, and the policy that lets it run its own program and nothing else. */
export interface ReaderPage {
  html: string;
  policy: string;
}

/** Languages of snippets other than those that are shown: shell, JavaScript, Python and Go. */
const HIDDEN_LANGUAGES =
  'c clojure csharp dart fsharp http java julia kotlin node objc ocaml php powershell r ruby rust swift'.split(
    ' ',
  );

/** The reader's own colours of small text have less contrast than WCAG asks for (4.5). */
const COLORS = `
.light-mode{--scalar-color-2:#595959;--scalar-color-3:#595959;--scalar-color-red:#b00000;--scalar-color-blue:#005f9e;--scalar-color-green:#006b45;--scalar-sidebar-search-color:#595959}
.dark-mode{--scalar-color-3:#a6a6a6;--scalar-color-red:#ff7a7a;--scalar-sidebar-search-color:#a6a6a6}`;

/** The reader asks no other host, and forgets the key when the page is closed. */
const SETTINGS = {
  url: '/api/openapi.json',
  hiddenClients: {
    ...Object.fromEntries(HIDDEN_LANGUAGES.map((language) => [language, true])),
    shell: ['httpie', 'wget'],
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
  },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'bearer' },
  persistAuth: false,
  withDefaultFonts: false,
  customCss: COLORS,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** Returns the page that starts the program at `programPath`. */
export function readerPage(programPath: string): ReaderPage {
  const script = `
const settings = ${JSON.stringify(SETTINGS)};
const program = document.createElement('script');
program.src = ${JSON.stringify(programPath)};
program.onload = () => Scalar.createApiReference('#reader', { ...settings, servers: [{ url: location.origin }] });
program.onerror = () => location.replace('/api/docs/plain');
document.head.append(program);
`;
  return { html: htmlOf(script), policy: policyFor(script) };
}

function htmlOf(script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fabula API</title>
</head>
<body>
<div id="reader"></div>
<noscript><p>This page needs JavaScript; <a href="/api/docs/plain">the plain page</a> does not.</p></noscript>
<script>${script}</script>
</body>
</html>
`;
}

/**
 * Allows the page's own script, the program that it loads, styles, and requests to this server. Tenants serve content
 * under this host: so no script runs because of the host that it comes from.
 */
function policyFor(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}' 'strict-dynamic'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
