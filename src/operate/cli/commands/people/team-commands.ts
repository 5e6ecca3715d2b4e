import type { Command } from 'commander';
import type { Role } from '../../../../api/face.js';
import type { Team } from '../../../../people/face.js';
import { timestamp } from '../../../../platform/time/timestamp.js';
import { type Cli, table } from '../../cli.js';
import { resolveTeam, resolveTenant, resolveUser } from '../../stores/cli-services.js';

interface MemberOptions {
  tenant?: string;
  team?: string;
  user: string;
  role: Role;
}

const present = (team: Team) => ({
  id: team.id,
  tenant_id: team.tenantId,
  name: team.name,
  created_at: timestamp(team.createdAt),
});

/** `team create|list|add-member`. */
export function addTeamCommands(program: Command, cli: Cli): void {
  const team = program
    .command('team')
    .description('manage teams, which own stories, credentials and resources');
  addCreate(team, cli);
  addList(team, cli);
  addAddMember(team, cli);
}

function addCreate(team: Command, cli: Cli): void {
  team
    .command('create')
    .description('create a team')
    .requiredOption('--name <name>', 'its name')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.writeAction(
        'team.create',
        async (services, { tenant, name }: { tenant?: string; name: string }) => {
          const { id: tenantId } = await resolveTenant(services, tenant);
          const made = await services.tenants.createTeam({ tenantId, name });
          const text = `Created team ${made.id} "${made.name}".`;
          return { json: present(made), text, wrote: [{ tenantId }] };
        },
      ),
    );
}

function addList(team: Command, cli: Cli): void {
  team
    .command('list')
    .description('list the teams of a tenant')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.action(async (services, { tenant }: { tenant?: string }) => {
        const { id: tenantId } = await resolveTenant(services, tenant);
        const all = (await services.tenants.listTeams(tenantId)).map(present);
        return {
          json: all,
          text: table(
            ['id', 'name'],
            all.map(({ id, name }) => [id, name]),
          ),
        };
      }),
    );
}

function addAddMember(team: Command, cli: Cli): void {
  team
    .command('add-member')
    .description('add a user to a team, or change the role of a member')
    .requiredOption('--user <user>', 'id or e-mail address')
    .option('--team <team>', 'id or name (default: the only one)')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .option('--role <role>', 'VIEWER, EDITOR or TEAM_ADMIN', 'EDITOR')
    .action(
      cli.writeAction('member.add', async (services, options: MemberOptions) => {
        const { tenant, team: wanted, user: wantedUser, role } = options;
        const { id: tenantId } = await resolveTenant(services, tenant);
        const { id: teamId, name } = await resolveTeam(services, tenantId, wanted);
        const user = await resolveUser(services, tenantId, wantedUser);
        await services.tenants.addMember({ teamId, userId: user.id, role });
        return {
          json: { team_id: teamId, user_id: user.id, role },
          text: `<${user.email}> is now ${role} in the team "${name}".`,
          wrote: [{ tenantId }],
        };
      }),
    );
}
