import type { Command } from 'commander';
import type { Role } from '../../../../api/face.js';
import type { User } from '../../../../people/face.js';
import { timestamp } from '../../../../platform/time/timestamp.js';
import { type Cli, table } from '../../cli.js';
import { resolveTeam, resolveTenant } from '../../stores/cli-services.js';

interface CreateOptions {
  tenant?: string;
  email: string;
  firstName?: string;
  lastName?: string;
  owner?: boolean;
  team?: string;
  role: Role;
}

const present = (user: User) => ({
  id: user.id,
  tenant_id: user.tenantId,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  is_owner: user.isOwner,
  is_service_account: user.isServiceAccount,
  created_at: timestamp(user.createdAt),
});

/** `user create|list`. */
export function addUserCommands(program: Command, cli: Cli): void {
  const user = program.command('user').description('manage users and service accounts');
  addCreate(user, cli);
  addList(user, cli);
}

function addCreate(user: Command, cli: Cli): void {
  user
    .command('create')
    .description('create a user; with --team, also add it to that team')
    .requiredOption('--email <address>', 'e-mail address, unique in the tenant')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--owner', 'make the user an owner with full access to the tenant')
    .option('--team <team>', 'id or name of a team to add the user to')
    .option('--role <role>', 'role in that team: VIEWER, EDITOR or TEAM_ADMIN', 'EDITOR')
    .action(
      cli.writeAction('user.create', async (services, options: CreateOptions) => {
        const { tenants } = services;
        const tenant = await resolveTenant(services, options.tenant);
        // Look up the team first, so that a wrong team creates no user.
        const team =
          options.team === undefined ? undefined : await resolveTeam(services, tenant.id, options.team);
        const { email, firstName = '', lastName = '', owner = false, role } = options;
        const made = await tenants.createUser({ tenantId: tenant.id, email, firstName, lastName, owner });
        if (team !== undefined) await tenants.addMember({ teamId: team.id, userId: made.id, role });
        const membership = team === undefined ? '' : ` and is ${role} in the team "${team.name}"`;
        const text = `Created user ${made.id} <${made.email}>${membership}.`;
        return { json: present(made), text, wrote: [{ tenantId: tenant.id }] };
      }),
    );
}

function addList(user: Command, cli: Cli): void {
  user
    .command('list')
    .description('list the users of a tenant, service accounts included')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.action(async (services, options: { tenant?: string }) => {
        const tenant = await resolveTenant(services, options.tenant);
        const all = (await services.tenants.listUsers(tenant.id)).map(present);
        const rows = all.map(({ id, email, is_owner: owner }) => [id, email, owner ? 'yes' : 'no']);
        return { json: all, text: table(['id', 'email', 'owner'], rows) };
      }),
    );
}
