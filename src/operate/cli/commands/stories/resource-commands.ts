import type { Command } from 'commander';
import type { JsonValue } from '../../../../platform/json.js';
import type { Cli } from '../../cli.js';
import { readValue, type ValueOptions } from '../../cli-io.js';
import { resolveTeam, resolveTenant } from '../../stores/cli-services.js';
import { parseJson } from '../../../../platform/json/parse-json.js';

interface SetOptions extends ValueOptions {
  tenant?: string;
  team?: string;
  text?: boolean;
}

/** `resource set`. */
export function addResourceCommands(program: Command, cli: Cli): void {
  program
    .command('resource')
    .description('manage values shared by the stories of a team')
    .command('set')
    .description(
      'create a resource or change its value; without an option, the value is read from standard input',
    )
    .argument('<name>', 'its name')
    .option('--value <value>', 'text, or a JSON list or object')
    .option('--value-file <file>', 'file containing the value')
    .option('--text', 'store the value as text, even if it is valid JSON')
    .option('--team <team>', 'id or name (default: the only one)')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.writeAction('resource.set', async (services, options: SetOptions, [name = '']) => {
        const tenant = await resolveTenant(services, options.tenant);
        const team = await resolveTeam(services, tenant.id, options.team);
        const given = await readValue(cli.io, options);
        const value = options.text === true ? given : listOrObject(given);
        const set = await services.resources.set(team.id, name, value);
        return {
          json: { ...set, team_id: team.id },
          text: `Resource "${set.name}" of the team "${team.name}" is set.`,
          wrote: [{ tenantId: tenant.id }],
        };
      }),
    );
}

/** Parses a JSON list or object. Returns any other text unchanged, also a number. */
function listOrObject(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text; // only looks like JSON
  }
}
