import type { Command } from 'commander';
import type { Cli, CliResponse } from '../../cli.js';
import { createApiClient, type ApiPlace } from '../../files/api-client.js';
import { gitDifference } from '../../files/git-difference.js';
import { storyDifference, serverDifference, type ShownDifference } from '../../files/show-difference.js';
import { readStory } from '../../files/story-place.js';
import { server } from './story-sync-commands.js';

interface DiffOptions extends ApiPlace {
  exitCode?: boolean;
}

/** Git calls a driver with this many arguments; for a renamed file with two more. */
const OF_GIT = [7, 9];

/** `story diff`: what differs between two stories, between files and the server, or for `git diff`. */
export function addStoryDiff(story: Command, cli: Cli): void {
  server(story.command('diff'))
    .description('show what differs between two stories, or between files and the story on the server')
    .argument(
      '<path...>',
      'one file or folder: compared with the server; two: with each other; the seven arguments of a diff driver of git',
    )
    .option('--exit-code', 'exit code 1 if they differ')
    .action(
      cli.offlineAction(
        async ({ exitCode = false, ...options }: DiffOptions, paths): Promise<CliResponse> => {
          const found = await differenceFor(cli, options, paths);
          return {
            json: { differences: found.differences },
            text: [found.title, ...found.lines].join('\n'),
            failed: exitCode && found.isDifferent,
          };
        },
      ),
    );
}

async function differenceFor(cli: Cli, options: ApiPlace, paths: string[]): Promise<ShownDifference> {
  const [first = '', second = ''] = paths;
  if (OF_GIT.includes(paths.length)) return gitDifference(paths);
  if (paths.length === 1)
    return serverDifference(createApiClient(cli.io.env, options), await readStory(first));
  if (paths.length === 2) return storyDifference(await readStory(first), await readStory(second));
  throw new Error('name one file or folder, or two');
}
