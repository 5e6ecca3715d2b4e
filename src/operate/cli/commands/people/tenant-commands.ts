import type { Command } from 'commander';
import type { Tenant } from '../../../../people/face.js';
import { timestamp } from '../../../../platform/time/timestamp.js';
import { type Cli, table } from '../../cli.js';
import { addMailCommand } from '../mail-commands.js';
import { addQuotaCommands } from './quota-commands.js';
import { addTenantMoveCommands } from './tenant-move-commands.js';

const present = (tenant: Tenant) => ({
  id: tenant.id,
  name: tenant.name,
  dedicated: tenant.dedicated,
  frozen_at: tenant.frozenAt && timestamp(tenant.frozenAt),
  created_at: timestamp(tenant.createdAt),
});

/** `tenant create|list|usage|quota|mail|export|import|release`. */
export function addTenantCommands(program: Command, cli: Cli): void {
  const tenant = program
    .command('tenant')
    .description('manage tenants: organisations isolated from each other');
  addCreate(tenant, cli);
  addList(tenant, cli);
  addQuotaCommands(tenant, cli);
  addMailCommand(tenant, cli);
  addTenantMoveCommands(tenant, cli);
}

function addCreate(tenant: Command, cli: Cli): void {
  tenant
    .command('create')
    .description('create a tenant')
    .requiredOption('--name <name>', 'its name')
    .option('--dedicated', 'use the higher limit for webhook requests that wait for a response')
    .action(
      cli.writeAction(
        'tenant.create',
        async ({ tenants }, { name, dedicated = false }: { name: string; dedicated?: boolean }) => {
          const made = await tenants.createTenant({ name, dedicated });
          const text = `Created tenant ${made.id} "${made.name}".`;
          return { json: present(made), text, wrote: [{ tenantId: made.id }] };
        },
      ),
    );
}

function addList(tenant: Command, cli: Cli): void {
  tenant
    .command('list')
    .description('list the tenants')
    .action(
      cli.action(async ({ tenants }) => {
        const all = (await tenants.listTenants()).map(present);
        const rows = all.map((each) => [each.id, each.name, each.dedicated ? 'yes' : 'no', each.frozen_at]);
        return { json: all, text: table(['id', 'name', 'dedicated', 'frozen since'], rows) };
      }),
    );
}
