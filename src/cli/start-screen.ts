import path from 'node:path';
import type { Config } from '../config.js';
import { credentialsFile } from './credentials-file.js';
import type { Seeded } from './seeded.js';

/** The one screen that a start ends with: where everything is, and what to try first. */
export function startScreen(config: Config, seeded: Seeded): string {
  const body = `'{"name":"Ada"}'`;
  const mails =
    config.smtpUrl === undefined
      ? `written to ${path.join(config.dataDir, 'mail')} (set SMTP_URL to send them)`
      : 'sent through SMTP_URL';
  const rows: [string, string][] = [
    ['API', seeded.base_url],
    ['API key', seeded.api_key],
    [
      'Queues',
      `${seeded.base_url}/admin/queues   user ${seeded.admin_user}, password ${seeded.admin_password}`,
    ],
    ['Mails', mails],
    ['Logs', `${path.join(config.dataDir, 'logs')}   (warnings and errors show up here too)`],
    ['Credentials', credentialsFile(config.dataDir)],
    ['Stop', 'Ctrl-C'],
  ];
  return [
    '',
    'Fabula is running.',
    '',
    ...rows.map(([label, text]) => `  ${label.padEnd(12)} ${text}`),
    '',
    'Fire the demo story:',
    '',
    `  curl -i -H 'Content-Type: application/json' -d ${body} '${seeded.demo_webhook_url}'`,
    '',
  ].join('\n');
}
