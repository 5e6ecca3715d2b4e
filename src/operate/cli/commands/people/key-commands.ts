import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Actor, Role } from '../../../../api/face.js';
import type { ApiKey, CreateKey, User } from '../../../../people/face.js';
import { timestamp } from '../../../../platform/time/timestamp.js';
import { type Cli, table } from '../../cli.js';
import { type CliServices, resolveTeam, resolveTenant, resolveUser } from '../../stores/cli-services.js';

interface CreateOptions {
  tenant?: string;
  kind: Actor['kind'];
  user?: string;
  team?: string;
  role: Role;
  name: string;
  expiresAt?: Date;
}

const present = (key: ApiKey) => ({
  id: key.id,
  kind: key.kind,
  name: key.name,
  prefix: key.prefix,
  tenant_id: key.tenantId,
  team_id: key.teamId,
  user_id: key.userId,
  created_at: timestamp(key.createdAt),
  expires_at: key.expiresAt && timestamp(key.expiresAt),
  last_used_at: key.lastUsedAt && timestamp(key.lastUsedAt),
  revoked_at: key.revokedAt && timestamp(key.revokedAt),
});

/** `key create|list|revoke`. */
export function addKeyCommands(program: Command, cli: Cli): void {
  const key = program.command('key').description('API keys');
  addCreate(key, cli);
  addList(key, cli);
  addRevoke(key, cli);
}

function addCreate(key: Command, cli: Cli): void {
  key
    .command('create')
    .description('create an API key; it is shown once')
    .addOption(
      new Option('--kind <kind>', 'key type, which sets its permissions')
        .choices(['personal', 'tenant', 'team'])
        .default('personal'),
    )
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .option('--user <user>', 'id or e-mail address, for a personal key (default: the first owner)')
    .option('--team <team>', 'id or name, for a team key (default: the only one)')
    .option('--role <role>', 'VIEWER, EDITOR or TEAM_ADMIN, for a team key', 'EDITOR')
    .option('--name <name>', 'name of the key', 'command line')
    .option('--expires-at <time>', 'ISO 8601', readTime)
    .action(
      cli.writeAction('api_key.create', async (services, options: CreateOptions) => {
        const { input, holder } = await keyInput(services, options);
        const { key: secret, record } = await services.keys.createKey(input);
        const json = { ...present(record), key: secret };
        const text = `Created key ${record.id}. It is shown only once:\n${secret}`;
        // A personal key is made by its user (spec §2.3).
        return { json, text, wrote: [{ tenantId: record.tenantId, ...(holder && { user: holder }) }] };
      }),
    );
}

function addList(key: Command, cli: Cli): void {
  key
    .command('list')
    .description('list the keys of a tenant')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.action(async (services, options: { tenant?: string }) => {
        const tenant = await resolveTenant(services, options.tenant);
        const keys = await services.keys.listKeys(tenant.id);
        const rows = keys.map((item) => [item.id, item.kind, item.prefix, item.name, stateOf(item)]);
        return { json: keys.map(present), text: table(['id', 'kind', 'prefix', 'name', 'state'], rows) };
      }),
    );
}

function addRevoke(key: Command, cli: Cli): void {
  key
    .command('revoke')
    .description('revoke a key permanently')
    .argument('<id>', 'id of the key')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.writeAction('api_key.revoke', async (services, options: { tenant?: string }, [id = '']) => {
        const tenant = await resolveTenant(services, options.tenant);
        if (!/^\d{1,15}$/.test(id)) throw new Error(`"${id}" is not an API key id`);
        const revoked = await services.keys.revokeKey({ tenantId: tenant.id, keyId: Number(id) });
        const text = `Revoked key ${revoked.id} "${revoked.name}".`;
        return { json: present(revoked), text, wrote: [{ tenantId: tenant.id }] };
      }),
    );
}

/** Returns the input for the new key; for a personal key also the user who owns it. */
async function keyInput(
  services: CliServices,
  options: CreateOptions,
): Promise<{ input: CreateKey; holder?: User }> {
  const { kind, name, role, expiresAt } = options;
  const { id: tenantId } = await resolveTenant(services, options.tenant);
  const common = { kind, name, tenantId, ...(expiresAt !== undefined && { expiresAt }) };
  if (kind === 'tenant') return { input: common };
  if (kind === 'team') {
    const { id: teamId } = await resolveTeam(services, tenantId, options.team);
    return { input: { ...common, teamId, role } };
  }
  const holder = await resolveUser(services, tenantId, options.user);
  return { input: { ...common, userId: holder.id }, holder };
}

function readTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('expected a time such as 2030-01-31T00:00:00Z');
  }
  return time;
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? 'expired' : 'valid';
}
