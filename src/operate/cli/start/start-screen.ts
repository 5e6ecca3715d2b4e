import path from 'node:path';
import type { Config } from '../../../config/face.js';
import { credentialsFile } from '../credentials-file.js';
import { reachableHost } from '../../../platform/http/address/reachable-host.js';
import type { Seeded } from '../seed/seeded.js';

/**
 * Returns the text that a start prints at its end: all addresses, and a first command to try. If `secrets`, it includes
 * keys, passwords and the secret of the demo story; logs of containers and services keep what is printed. The link to the
 * console is always there: it works once, for ten minutes.
 */
export function startScreen(config: Config, seeded: Seeded, { secrets }: { secrets: boolean }): string {
  const rows: [string, string][] = [
    ...(seeded.console_link === ''
      ? []
      : [['Console', seeded.console_link + ONCE] satisfies [string, string]]),
    ['API', seeded.base_url],
    ...(secrets ? [['API key', seeded.api_key] satisfies [string, string]] : []),
    ['Queues', boardUrl(config) + (secrets ? account(seeded) : '')],
    ['Mails', mailsOf(config)],
    ['Logs', `${path.join(config.dataDir, 'logs')}   (warnings and errors also appear here)`],
    ['Credentials', credentialsFile(config.dataDir) + (secrets ? '' : HINT)],
    ['Stop', 'Ctrl-C'],
  ];
  return [
    '',
    'Fabula is running.',
    '',
    ...rows.map(([label, text]) => `  ${label.padEnd(12)} ${text}`),
    '',
    ...(secrets ? firstTry(seeded) : []),
  ].join('\n');
}

const ONCE = '   (single use, expires in ten minutes; "fabula login-link" creates another)';
const HINT = '   (keys and passwords; "npm start -- --show" prints them)';

function account({ admin_user, admin_password }: Seeded): string {
  return `   user ${admin_user}, password ${admin_password}`;
}

function mailsOf({ smtpUrl, dataDir }: Config): string {
  if (smtpUrl !== undefined) return 'sent through SMTP_URL';
  return `written to ${path.join(dataDir, 'mail')} (set SMTP_URL to send them)`;
}

function firstTry({ demo_webhook_url: url }: Seeded): string[] {
  const body = `'{"name":"Ada"}'`;
  return [
    'Open the link to the console: its first steps lead to a story of your own. Or try the demo story:',
    '',
    `  curl -i -H 'Content-Type: application/json' -d ${body} '${url}'`,
    '',
    'Keys and passwords are only shown at the first start.',
    '',
  ];
}

/** Returns the URL of the queue board, which has an origin of its own (decision 0028). */
function boardUrl({ adminOrigin, adminHost, adminPort }: Config): string {
  return `${adminOrigin ?? `http://${reachableHost(adminHost)}:${adminPort ?? ''}`}/admin/queues`;
}
