import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { readValue, type ValueOptions } from '../cli-io.js';
import { resolveTeam, resolveTenant } from '../cli-services.js';

interface SetOptions extends ValueOptions {
  tenant?: string;
  team?: string;
}

/** `credential set`. */
export function addCredentialCommands(program: Command, cli: Cli): void {
  program
    .command('credential')
    .description('secrets of a team, stored encrypted under ENCRYPTION_KEY')
    .command('set')
    .description(
      'make a credential, or give it a new value; without an option the value is read from standard input',
    )
    .argument('<name>', 'its name')
    .option('--value <value>', 'the secret; other users of the machine may see it in the list of processes')
    .option('--value-file <file>', 'file that holds the secret')
    .option('--team <team>', 'id or name (default: the only one)')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.action(async (services, options: SetOptions, [name = '']) => {
        const tenant = await resolveTenant(services, options.tenant);
        const team = await resolveTeam(services, tenant.id, options.team);
        const set = await services.credentials.set(team.id, name, await readValue(cli.io, options));
        return {
          json: { ...set, team_id: team.id },
          text: `Credential "${set.name}" of the team "${team.name}" is set.`,
        };
      }),
    );
}
