import { type Command, InvalidArgumentError } from 'commander';
import { QUOTA_NAMES, type QuotaName, type QuotaUse } from '../../../../people/face.js';
import { type Cli, table } from '../../cli.js';
import { resolveTenant } from '../../stores/cli-services.js';

type Limits = Partial<Record<QuotaName, number | null>>;

/** `tenant usage|quota`. */
export function addQuotaCommands(tenant: Command, cli: Cli): void {
  tenant
    .command('usage')
    .description('show the quotas of a tenant and how much is used')
    .argument('[tenant]', 'id or name (default: the only one)')
    .action(
      cli.action(async (services, _options: never, [wanted]: string[]) => {
        const { id } = await resolveTenant(services, wanted);
        return responseOf(await services.quotas.usageOf(id));
      }),
    );
  tenant
    .command('quota')
    .description('set quotas for one tenant')
    .argument('[tenant]', 'id or name (default: the only one)')
    .requiredOption(
      '--set <name=limit...>',
      `${QUOTA_NAMES.join(', ')}; 0: no limit; default: the installation-wide limit`,
      readLimit,
    )
    .action(
      cli.writeAction('tenant.quota', async (services, { set }: { set: Limits }, [wanted]: string[]) => {
        const { id } = await resolveTenant(services, wanted);
        return { ...responseOf(await services.quotas.set(id, set)), wrote: [{ tenantId: id }] };
      }),
    );
}

function readLimit(text: string, before: Limits = {}): Limits {
  const [name = '', limit = ''] = text.split('=');
  const quota = QUOTA_NAMES.find((known) => known === name);
  if (quota === undefined) throw new InvalidArgumentError(`expected one of ${QUOTA_NAMES.join(', ')}`);
  if (limit !== 'default' && !/^\d{1,15}$/.test(limit)) {
    throw new InvalidArgumentError('expected an integer, 0 for no limit, or default');
  }
  return { ...before, [quota]: limit === 'default' ? null : Number(limit) };
}

function responseOf(uses: QuotaUse[]) {
  const json = {
    quotas: uses.map(({ name, used, limit, resetsAt }) => ({ name, used, limit, resets_at: resetsAt })),
  };
  const rows = uses.map(({ name, used, limit, resetsAt }) => [name, used, limit ?? 'none', resetsAt]);
  return { json, text: table(['quota', 'used', 'limit', 'resets at'], rows) };
}
