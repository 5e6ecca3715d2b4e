import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { importBodyOf, presentImportedStory, presentListedStory } from '../../../../stories/face.js';
import { type Cli, table } from '../../cli.js';
import { readStoryText } from '../../files/story-files-text.js';
import { type CliServices, resolveActor, resolveTeam, resolveTenant } from '../../stores/cli-services.js';
import { addStoryCheck } from './story-check-command.js';
import { addStoryDiff } from './story-diff-command.js';
import { addStorySync } from './story-sync-commands.js';
import { addStoryTest } from './story-test-command.js';
import { addStoryTry } from './story-try-command.js';
import { parseJson } from '../../../../platform/json/parse-json.js';
import { stringifyJson } from '../../../../platform/json/exact-number.js';

interface WhereOptions {
  tenant?: string;
  user?: string;
  team?: string;
}

interface ImportOptions extends WhereOptions {
  name?: string;
  folder?: string;
  mode?: string;
}

interface ExportOptions extends WhereOptions {
  output?: string;
}

/** `story import|list|export|check|try|pull|push|diff`. */
export function addStoryCommands(program: Command, cli: Cli): void {
  const story = program.command('story').description('stories');
  addImport(story, cli);
  addList(story, cli);
  addExport(story, cli);
  addStoryCheck(story, cli);
  addStoryTry(story, cli);
  addStorySync(story, cli);
  addStoryDiff(story, cli);
  addStoryTest(story, cli);
}

function addImport(story: Command, cli: Cli): void {
  where(story.command('import'))
    .description('import a story from a file: an export or the body of POST /api/v1/stories/import')
    .argument('<file>', 'file or folder, or - for standard input')
    .option('--name <name>', 'name of the new story (default: the one in the file)')
    .option('--folder <id>', 'folder to add it to')
    .addOption(
      new Option(
        '--mode <mode>',
        'new or versionReplace, which replaces the newest story of that name (default: new)',
      ).choices(['new', 'versionReplace']),
    )
    .action(
      cli.writeAction('story.import', async (services, options: ImportOptions, [file = '-']) => {
        const body = importBodyOf(parseFile(await readStoryText(cli.io, file), file));
        const { actor, teamId } = await resolveWhere(services, options);
        const imported = await services.stories.import(actor, bodyFor(options, teamId, body));
        const json = presentImportedStory(imported);
        const warnings = (json.warnings ?? []).map((warning) => `\nWarning: ${warning}`).join('');
        const text = `Imported story ${json.id} "${json.name}".${warnings}`;
        const user = { id: actor.userId, email: actor.userEmail };
        return { json, text, wrote: [{ tenantId: actor.tenantId, user }] };
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
        const stories = await services.stories.list(actor, { teamId, search: options.search });
        const rows = stories.map((item) => [item.id, item.teamId, item.name]);
        return { json: stories.map(presentListedStory), text: table(['id', 'team', 'name'], rows) };
      }),
    );
}

function addExport(story: Command, cli: Cli): void {
  where(story.command('export'))
    .description('print a story in the export format, including its webhook secrets')
    .argument('<id>', 'id of the story')
    .option('--output <file>', 'write to a file instead')
    .action(
      cli.action(async (services, options: ExportOptions, [id = '']) => {
        if (!/^\d{1,15}$/.test(id)) throw new Error(`"${id}" is not a story id`);
        const { actor } = await resolveWhere(services, options);
        const exported = await services.stories.export(actor, Number(id));
        const text = stringifyJson(exported, 2);
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
    .option('--user <user>', 'id or e-mail address of the acting user (default: the first owner)');
}

async function resolveWhere(services: CliServices, options: WhereOptions) {
  const tenant = await resolveTenant(services, options.tenant);
  const actor = await resolveActor(services, tenant.id, options.user);
  const team = options.team === undefined ? undefined : await resolveTeam(services, tenant.id, options.team);
  return { actor, teamId: team?.id };
}

/** Returns the import body; options override the values in the file. */
function bodyFor(
  { name, folder, mode }: ImportOptions,
  teamId: number | undefined,
  body: Record<string, unknown>,
): Record<string, unknown> {
  return {
    ...body,
    ...(name !== undefined && { new_name: name }),
    ...(mode !== undefined && { mode }),
    ...(teamId !== undefined && { team_id: teamId }),
    ...(folder !== undefined && { folder_id: folder }),
  };
}

function parseFile(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${file === '-' ? 'standard input' : file} is not JSON`, { cause: error });
  }
}
