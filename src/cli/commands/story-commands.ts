import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { JsonObject } from '../../json.js';
import { presentImportedStory, presentListedStory } from '../../stories/story-presenter.js';
import { type Cli, table } from '../cli.js';
import { readInput } from '../cli-io.js';
import { type CliServices, resolveActor, resolveTeam, resolveTenant } from '../cli-services.js';

interface WhereOptions {
  tenant?: string;
  user?: string;
  team?: string;
}

interface ImportOptions extends WhereOptions {
  name?: string;
  folder?: string;
  mode: string;
}

interface ExportOptions extends WhereOptions {
  output?: string;
}

/** `story import|list|export`. */
export function addStoryCommands(program: Command, cli: Cli): void {
  const story = program.command('story').description('stories');
  addImport(story, cli);
  addList(story, cli);
  addExport(story, cli);
}

function addImport(story: Command, cli: Cli): void {
  where(story.command('import'))
    .description('import a story from a file in the export form')
    .argument('<file>', 'the export; - for standard input')
    .option('--name <name>', 'name of the new story (default: the one in the file)')
    .option('--folder <id>', 'folder to add it to')
    .addOption(
      new Option('--mode <mode>', 'versionReplace replaces the newest story of that name')
        .choices(['new', 'versionReplace'])
        .default('new'),
    )
    .action(
      cli.action(async (services, options: ImportOptions, [file = '-']) => {
        const data = parseExport(await readInput(cli.io, file), file);
        const json = presentImportedStory(await importStory(services, options, data));
        const warnings = (json.warnings ?? []).map((warning) => `\nWarning: ${warning}`).join('');
        return { json, text: `Story ${json.id} "${json.name}" was imported.${warnings}` };
      }),
    );
}

function addList(story: Command, cli: Cli): void {
  where(story.command('list'))
    .description('list stories, newest first')
    .option('--search <text>', 'part of the name')
    .action(
      cli.action(async (services, options: WhereOptions & { search?: string }) => {
        const { actor, teamId } = await resolveWhere(services, options);
        const { stories } = await services.stories.list(actor, { teamId, search: options.search });
        const rows = stories.map((item) => [item.id, item.teamId, item.name]);
        return { json: stories.map(presentListedStory), text: table(['id', 'team', 'name'], rows) };
      }),
    );
}

function addExport(story: Command, cli: Cli): void {
  where(story.command('export'))
    .description('print a story in the export form; it holds the secrets of its webhooks')
    .argument('<id>', 'id of the story')
    .option('--output <file>', 'write it to a file')
    .action(
      cli.action(async (services, options: ExportOptions, [id = '']) => {
        if (!/^\d{1,15}$/.test(id)) throw new Error(`"${id}" is not the id of a story`);
        const { actor } = await resolveWhere(services, options);
        const exported = await services.stories.export(actor, Number(id));
        const text = JSON.stringify(exported, null, 2);
        if (options.output === undefined) return { json: exported, text };
        await writeFile(options.output, `${text}\n`, { mode: 0o600 });
        return { json: { file: options.output }, text: `Written to ${options.output}.` };
      }),
    );
}

function where(command: Command): Command {
  return command
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .option('--team <team>', 'id or name')
    .option('--user <user>', 'id or e-mail address of who does it (default: the first owner)');
}

async function resolveWhere(services: CliServices, options: WhereOptions) {
  const tenant = await resolveTenant(services, options.tenant);
  const actor = await resolveActor(services, tenant.id, options.user);
  const team = options.team === undefined ? undefined : await resolveTeam(services, tenant.id, options.team);
  return { actor, teamId: team?.id };
}

async function importStory(services: CliServices, options: ImportOptions, data: JsonObject) {
  const { actor, teamId } = await resolveWhere(services, options);
  const { name, folder, mode } = options;
  return services.stories.import(actor, {
    new_name: name ?? data.name,
    data,
    mode,
    ...(teamId !== undefined && { team_id: teamId }),
    ...(folder !== undefined && { folder_id: folder }),
  });
}

function parseExport(text: string, file: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    throw new Error(`${file === '-' ? 'standard input' : file} is not JSON`, { cause: error });
  }
}
