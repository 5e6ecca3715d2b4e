import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.js';
import { createApiClient, type ApiPlace } from '../../files/api-client.js';
import { outcomeResponse } from '../../files/compare-stories.js';
import { type PullOptions, pullStories } from '../../files/pull-story.js';
import { type PushOptions, pushStories } from '../../files/push-story.js';
import { findServerStory, listServerStories, type ServerStory } from '../../files/server-stories.js';
import { readStories } from '../../files/story-place.js';

interface Pull extends ApiPlace, Omit<PullOptions, 'overwrite' | 'dryRun'> {
  all?: boolean;
  team?: string;
  folder?: string;
  overwrite?: boolean;
  dryRun?: boolean;
}

interface Push extends ApiPlace, Omit<PushOptions, 'overwrite' | 'dryRun' | 'base' | 'request'> {
  base?: PushOptions['base'];
  overwrite?: boolean;
  dryRun?: boolean;
  apply?: boolean;
  request?: boolean;
}

const EXIT_CODES = `
Exit codes: 0 if all is done, or nothing is to do; 1 after an error, also of one story; 3 if a story was
refused, because changes of others would be lost, or because it may not be changed. Other stories are done then.`;

/** `story pull|push`: stories between a server and files. */
export function addStorySync(story: Command, cli: Cli): void {
  addPull(story, cli);
  addPush(story, cli);
}

function addPull(story: Command, cli: Cli): void {
  server(story.command('pull'))
    .description('write stories of a server into files; changes in the files stay, unless they conflict')
    .argument('[story...]', 'id, address, slug or name')
    .option('--dir <folder>', 'folder of the files', '.')
    .option('--all', 'all stories that the key can see')
    .option('--team <id>', 'only stories of this team')
    .option('--folder <id>', 'only stories of this folder')
    .addOption(
      new Option(
        '--layout <layout>',
        'one file, or a folder with a file for each action (default: as it is; a folder for large stories)',
      ).choices(['file', 'folder']),
    )
    .addOption(new Option('--format <format>', 'default: as it is; yaml').choices(['yaml', 'json']))
    .addOption(take())
    .option('--overwrite', 'lose what the files have changed')
    .option('--dry-run', 'only show what would change')
    .addHelpText('after', EXIT_CODES)
    .action(
      cli.offlineAction(async (options: Pull, names) => {
        const api = createApiClient(cli.io.env, options);
        const { team, folder, overwrite = false, dryRun = false } = options;
        const listed = options.all === true || (names.length === 0 && (team ?? folder) !== undefined);
        if (!listed && names.length === 0) throw new Error('name a story, or use --all, --team or --folder');
        const stories: ServerStory[] = listed ? await listServerStories(api, { team, folder }) : [];
        for (const name of names) stories.push(await findServerStory(api, name, { team, folder }));
        return outcomeResponse(await pullStories(api, stories, { ...options, overwrite, dryRun }));
      }),
    );
}

function addPush(story: Command, cli: Cli): void {
  server(story.command('push'))
    .description('give stories of a server what files hold; changes of others stay, unless they conflict')
    .argument('<path...>', 'files, folders of stories, or folders with several')
    .option('--dry-run', 'only show what would change; the default if CI is set')
    .option('--apply', 'push although CI is set')
    .option('--draft <name>', 'write this draft instead of the story; it is made if it is not there')
    .option('--request', 'open a change request for the draft')
    .option('--story <story>', 'id, address, slug or name of the story, for files that were not pulled')
    .option('--team <id>', 'team of new stories, and of those that are found by name')
    .addOption(
      new Option(
        '--base <state>',
        'what the files are compared with: pulled, the last pull or push here; pushed, the last push from anywhere, for CI (default: pulled, or pushed if CI is set)',
      ).choices(['pulled', 'pushed']),
    )
    .addOption(take())
    .option('--overwrite', 'lose what others have changed')
    .option('--message <text>', 'what the version says about the change, such as a commit')
    .addHelpText('after', EXIT_CODES)
    .action(
      cli.offlineAction(async (options: Push, paths) => {
        const api = createApiClient(cli.io.env, options);
        const local = [];
        for (const each of paths) local.push(...(await readStories(each)));
        if (local.length === 0) throw new Error(`${paths.join(', ')}: no stories`);
        if (options.story !== undefined && local.length > 1) throw new Error('--story is for one story');
        if (options.request === true && options.draft === undefined)
          throw new Error('--request needs --draft');
        const isCi = !['', '0', 'false', undefined].includes(cli.io.env.CI);
        const { base = isCi ? 'pushed' : 'pulled', request = false, overwrite = false } = options;
        const dryRun = options.dryRun === true || (isCi && options.apply !== true);
        const how = { ...options, base, request, overwrite, dryRun };
        return outcomeResponse(await pushStories(api, local, how));
      }),
    );
}

/** Adds the options that name the server. */
export function server(command: Command): Command {
  return command
    .option('--url <url>', 'address of the server (default: FABULA_URL)')
    .option('--key <key>', 'API key (default: FABULA_KEY, which other users of this machine do not see)');
}

function take(): Option {
  return new Option('--take <side>', 'which side counts where both have changed the same').choices([
    'mine',
    'theirs',
  ]);
}
