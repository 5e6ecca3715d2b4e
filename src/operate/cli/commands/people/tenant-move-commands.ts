import path from 'node:path';
import type { Command } from 'commander';
import { exportTenant, unfreeze } from '../../../backup/tenant/export-tenant.js';
import { type ImportedTenant, importTenant } from '../../../backup/tenant/import-tenant.js';
import { requireKnownKey } from '../../../../data/face.js';
import type { TenantManifest } from '../../../backup/tenant/tenant-manifest.js';
import { readConfig } from '../../../../config/face.js';
import { SPOOL } from '../../../../engine/face.js';
import { environmentWithStores } from '../../cli-environment.js';
import { readInputFile } from '../../cli-io.js';
import { withCliQueues } from '../../stores/cli-queues.js';
import { resolveTenant } from '../../stores/cli-services.js';
import type { Cli } from '../../cli.js';
import { counted } from '../../../../platform/text/counted.js';

const PASSPHRASE = 'file with the passphrase that encrypts the secrets in the copy, or - for standard input';
const MIN_PASSPHRASE = 12;

/** `tenant export|import|release` (docs/operate/moving-tenants.md). */
export function addTenantMoveCommands(tenant: Command, cli: Cli): void {
  addExport(tenant, cli);
  addImport(tenant, cli);
  addRelease(tenant, cli);
}

function addExport(tenant: Command, cli: Cli): void {
  tenant
    .command('export')
    .description('freeze a tenant and export it, including work in progress, to a new folder')
    .argument('<tenant>', 'its id or name')
    .argument('<folder>', 'new or empty folder')
    .option('--passphrase-file <file>', `${PASSPHRASE} (default: the target needs the same ENCRYPTION_KEY)`)
    .option('--wait <seconds>', 'seconds to wait for running work to finish', '60')
    .action(
      cli.writeAction(
        'tenant.export',
        async (services, options: { passphraseFile?: string; wait: string }, [wanted = '', folder = '']) => {
          const waitMs = secondsOf(options.wait) * 1000;
          const passphrase = await passphraseOf(cli, options.passphraseFile);
          const { id, name } = await resolveTenant(services, wanted);
          const config = readConfig(await environmentWithStores(cli.io.env));
          const manifest = await withCliQueues(config, async ({ queues, reachRedis }) => {
            await reachRedis();
            return exportTenant(path.resolve(folder), {
              store: services.database,
              database: { url: config.databaseUrl, tls: config.databaseTls },
              tenant: { id, name },
              keys: services.credentials,
              passphrase,
              spool: queues.at(SPOOL),
              waitMs,
            });
          });
          const text = `Exported: ${describe(manifest)} The tenant stays frozen here until "tenant release".`;
          return { json: manifest, text, wrote: [{ tenantId: id }] };
        },
      ),
    );
}

function addImport(tenant: Command, cli: Cli): void {
  tenant
    .command('import')
    .description('import a tenant exported by "tenant export", with new ids, and resume its work')
    .argument('<folder>', 'folder created by "tenant export"')
    .option('--passphrase-file <file>', PASSPHRASE)
    .option('--name <name>', 'new name of the tenant')
    .option(
      '--keep-quotas',
      'keep the exported quotas and "dedicated" setting instead of those of this installation',
    )
    .option('--new-webhook-addresses', 'assign new paths to webhooks with paths already in use here')
    .action(
      cli.writeAction('tenant.import', async (services, options: ImportOptions, [folder = '']) => {
        const { database, config, credentials: keys } = services;
        const { name, keepQuotas = false, newWebhookAddresses = false } = options;
        if (config.encryptionKey !== undefined)
          await database.read((session) => requireKnownKey(session, keys.cipher()));
        const passphrase = await passphraseOf(cli, options.passphraseFile);
        const target = { url: config.databaseUrl, tls: config.databaseTls };
        const into = { database, target, keys, passphrase, name, keepQuotas, newWebhookAddresses };
        const imported = await importTenant(path.resolve(folder), into);
        const { id } = imported;
        return { ...presentImport(imported), wrote: [{ tenantId: id }] };
      }),
    );
}

interface ImportOptions {
  passphraseFile?: string;
  name?: string;
  keepQuotas?: boolean;
  newWebhookAddresses?: boolean;
}

function presentImport({ id, rows, manifest, leftOut, newPaths }: ImportedTenant) {
  const { passwords, mailServer } = leftOut;
  const lines = [
    `Imported tenant ${id}: ${describe(manifest)} Do not release it at its source.`,
    ...(manifest.signature === null
      ? ['The export is not signed with a passphrase, so changes to it cannot be detected.']
      : []),
    ...(passwords.length > 0
      ? [
          `${counted(passwords.length, 'user')} were imported without a password, because this server does not support the hash: ${passwords.join(', ')}.`,
        ]
      : []),
    ...(mailServer ? ['Its mail server was not imported: the URL has options or is invalid.'] : []),
    ...[...newPaths].map(
      ([before, path]) =>
        `The webhook path "${before}" is already in use here; the webhook now uses "${path}".`,
    ),
  ];
  return {
    json: {
      id,
      rows,
      manifest,
      users_without_password: passwords,
      mail_server_left_out: mailServer,
      new_webhook_paths: Object.fromEntries(newPaths),
    },
    text: lines.join('\n'),
  };
}

function addRelease(tenant: Command, cli: Cli): void {
  tenant
    .command('release')
    .description('unfreeze a tenant; do not use it if the tenant was imported elsewhere')
    .argument('<tenant>', 'its id or name')
    .action(
      cli.writeAction('tenant.release', async (services, _options: object, [wanted = '']) => {
        const { id } = await resolveTenant(services, wanted);
        const released = await unfreeze(id, services.database);
        const text = released ? `Tenant ${id} is active again.` : `Tenant ${id} was not frozen.`;
        return { json: { id, released }, text, wrote: released ? [{ tenantId: id }] : [] };
      }),
    );
}

async function passphraseOf(cli: Cli, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const passphrase = (await readInputFile(cli.io, file)).replace(/\r?\n$/, '');
  if (passphrase.length < MIN_PASSPHRASE) {
    throw new Error(`the passphrase must have at least ${MIN_PASSPHRASE} characters`);
  }
  return passphrase;
}

function secondsOf(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new Error('--wait must be an integer number of seconds');
  return Number(text);
}

function describe({ tables, takenAt, tenant }: TenantManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${tables.length} tables of tenant ${tenant.id} "${tenant.name}", as of ${takenAt}.`;
}
