import { type Command, InvalidArgumentError } from 'commander';
import {
  INSTANCE,
  listAuditEntries,
  presentAuditEntry,
  type StoredAuditEntry,
} from '../../../people/face.js';
import { parseIsoTime } from '../../../platform/time/iso-time.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { type Cli, table } from '../cli.js';
import { resolveTenant } from '../stores/cli-services.js';

interface AuditOptions {
  tenant?: string;
  since?: Date;
  limit: number;
}

/** `audit`: lists the audit entries of the instance (the queue board) or of a tenant. Needs only the database. */
export function addAuditCommand(program: Command, cli: Cli): void {
  program
    .command('audit')
    .description('list audit log entries of the queue board or a tenant, newest first')
    .option('--tenant <tenant>', 'id or name (default: entries of the instance)')
    .option('--since <time>', 'entries from this time on (ISO 8601)', readTime)
    .option('--limit <number>', 'maximum number of entries', readLimit, 50)
    .action(
      cli.action(async (services, { tenant, since, limit }: AuditOptions) => {
        const tenantId = tenant === undefined ? INSTANCE : (await resolveTenant(services, tenant)).id;
        const { items: found } = await services.database.read((session) =>
          listAuditEntries({ tenantId, from: since }, { offset: 0, limit }, session),
        );
        return {
          json: { audit_logs: found.map((entry) => ({ ...presentAuditEntry(entry), status: entry.status })) },
          text: table(['time', 'who', 'from', 'action', 'status', 'path'], found.map(toRow)),
        };
      }),
    );
}

function toRow(entry: StoredAuditEntry): string[] {
  return [
    timestamp(entry.createdAt),
    entry.userEmail ?? '-',
    entry.ip ?? '-',
    entry.action,
    entry.status === null ? '-' : String(entry.status),
    entry.path,
  ];
}

function readTime(text: string): Date {
  const time = parseIsoTime(text);
  if (time === undefined) throw new InvalidArgumentError('expected a time such as 2026-11-21T09:30:00Z');
  return time;
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new InvalidArgumentError('expected 1 to 10000');
  return limit;
}
