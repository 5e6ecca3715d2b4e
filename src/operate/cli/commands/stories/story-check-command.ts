import type { Command } from 'commander';
import {
  CHECKS_HERE,
  createStoryChecker,
  type FileProblem,
  type FileReport,
  hasFailedCheck,
  presentReports,
  checkReportText,
} from '../../../../stories/face.js';
import { slugOf } from '../../../../platform/text/slug.js';
import type { Cli } from '../../cli.js';
import { cliConfig } from '../../cli-environment.js';
import { readStoryTexts, withLine } from '../../files/story-files-text.js';
import { resolveTeam, resolveTenant, withCliServices } from '../../stores/cli-services.js';

interface CheckOptions {
  strict?: boolean;
  team?: string;
  tenant?: string;
}

/** `story check`: reports what an import of these files would do. Only `--team` needs the database. */
export function addStoryCheck(story: Command, cli: Cli): void {
  story
    .command('check')
    .description('report errors and the actions that can and cannot run; exit code 1 if a file has errors')
    .argument(
      '<file...>',
      'exports or import bodies, folders of stories, folders with several; - for standard input',
    )
    .option('--strict', 'also fail if actions can be stored but not run')
    .option(
      '--team <team>',
      'id or name; warn about used credentials that this team allows for any host; needs the database',
    )
    .option('--tenant <tenant>', 'of the team, id or name (default: the only one)')
    .action(
      cli.offlineAction(async ({ strict = false, ...place }: CheckOptions, names) => {
        const checked = await checkFiles(cli, names);
        const files = place.team === undefined ? checked : await withHostWarnings(cli, checked, place);
        return {
          json: presentReports(files, strict),
          text: checkReportText(files),
          failed: hasFailedCheck(files, strict),
        };
      }),
    );
}

async function checkFiles(cli: Cli, names: string[]): Promise<FileReport[]> {
  const checker = createStoryChecker(CHECKS_HERE);
  const reports: FileReport[] = [];
  for (const name of names) {
    for (const read of await readStoryTexts(cli.io, name)) {
      reports.push('text' in read ? checker.check(read.file, read.text) : unreadable(read));
    }
  }
  return reports;
}

/** Returns the report of a file that is no JSON or YAML, or does not fit the others of its folder. */
function unreadable({ file, problems }: { file: string; problems: FileProblem[] }): FileReport {
  const refusals = problems.map((problem) => ({ message: withLine(problem) }));
  const needs = { credentials: [], resources: [], stories: [] };
  return { file, refusals, warnings: [], story: undefined, needs };
}

/** Adds a warning for each used credential that the team has not bound to hosts. */
async function withHostWarnings(
  cli: Cli,
  files: FileReport[],
  { team, tenant }: Pick<CheckOptions, 'team' | 'tenant'>,
): Promise<FileReport[]> {
  const open = await withCliServices(await cliConfig(cli.io.env), async (services) => {
    const { id } = await resolveTenant(services, tenant);
    return services.credentials.listUnrestricted((await resolveTeam(services, id, team)).id);
  });
  return files.map((file) => {
    const used = open.filter(({ name, slug }) =>
      file.needs.credentials.some((needed) => needed === name || slugOf(needed) === slug),
    );
    const warnings = used.map(
      ({ name }) => `the credential "${name}" may be sent to any host, because it has no allowed hosts`,
    );
    return { ...file, warnings: [...file.warnings, ...warnings] };
  });
}
