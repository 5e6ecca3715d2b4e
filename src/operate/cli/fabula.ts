import { Command, CommanderError } from 'commander';
import { inheritedEnvironment } from '../../config/face.js';
import { messageOf } from '../../platform/errors.js';
import { createCli } from './cli.js';
import type { CliIo } from './cli-io.js';
import { createPrinter } from './printer.js';
import { addArchiveCommand } from './commands/archive-command.js';
import { addAuditCommand } from './commands/audit-command.js';
import { addBackupCommands } from './commands/backup-commands.js';
import { addCredentialCommands } from './commands/stories/credential-commands.js';
import { addDatabaseCommands } from './commands/database-commands.js';
import { addDeadLetterCommands } from './commands/dead-letter-commands.js';
import { addDebugCommand } from './commands/debug-command.js';
import { addDoctorCommand } from './commands/doctor-command.js';
import { addKeyCommands } from './commands/people/key-commands.js';
import { addLoginLinkCommand } from './commands/people/login-link-command.js';
import { addMcpCommand, type LoadRoutes } from './commands/mcp-command.js';
import { addMigrateCommand } from './commands/migrate-commands.js';
import { addPromoteCommand } from './commands/stories/promote-command.js';
import { addResourceCommands } from './commands/stories/resource-commands.js';
import { addRetentionCommand } from './commands/retention-command.js';
import { addStoryCommands } from './commands/stories/story-commands.js';
import { addTeamCommands } from './commands/people/team-commands.js';
import { addTenantCommands } from './commands/people/tenant-commands.js';
import { addUserCommands } from './commands/people/user-commands.js';
import { addVersionCommand } from './commands/version-command.js';

/** Runs the command line with `args` (without the program's own name). Returns the exit code. */
export async function run(args: string[], given: CliIo, loadRoutes: LoadRoutes): Promise<number> {
  const io = { ...given, stdout: createPrinter(given.stdout), stderr: createPrinter(given.stderr) };
  try {
    await createProgram(io, loadRoutes).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode; // commander has already printed the error
    io.stderr.write(`error: ${oneLine(error)}\n`);
    return 1;
  }
}

function createProgram(io: CliIo, loadRoutes: LoadRoutes): Command {
  const cli = createCli(io);
  const program = new Command('fabula')
    .description('Uses the database at DATABASE_URL, or that of the "npm start" running on DATA_DIR.')
    .option('--json', 'print the result as JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .exitOverride();
  addHelp(program);
  addTenantCommands(program, cli);
  addUserCommands(program, cli);
  addTeamCommands(program, cli);
  addKeyCommands(program, cli);
  addLoginLinkCommand(program, cli);
  addStoryCommands(program, cli);
  addPromoteCommand(program, cli);
  addResourceCommands(program, cli);
  addCredentialCommands(program, cli);
  addDeadLetterCommands(program, cli);
  addAuditCommand(program, cli);
  addRetentionCommand(program, cli);
  addArchiveCommand(program, cli);
  addMcpCommand(program, cli, loadRoutes);
  addMigrateCommand(program, cli);
  addDatabaseCommands(program, cli);
  addBackupCommands(program, cli);
  addVersionCommand(program, cli);
  addDoctorCommand(program, cli);
  addDebugCommand(program, cli);
  return program;
}

/** Adds `help [command...]`. Commander's own takes one name only, and shows the group for `help story try`. */
function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('display help for a command')
    .argument('[command...]', 'command name, such as: story try')
    .action((names: string[]) => findCommand(program, names).help());
}

/** @throws CommanderError if there is no such command. */
function findCommand(program: Command, names: string[]): Command {
  let found = program;
  for (const name of names) {
    const next = found.commands.find((each) => each.name() === name || each.aliases().includes(name));
    if (next === undefined) program.error(`error: unknown command '${names.join(' ')}'`);
    found = next;
  }
  return found;
}

function oneLine(error: unknown): string {
  return messageOf(error)
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

/** Runs the command line with the arguments of this process. */
export async function runFabulaCommand(loadRoutes: LoadRoutes): Promise<void> {
  const { stdin, stdout, stderr } = process;
  // If the reader of the output has closed the pipe, there is nothing left to do.
  stdout.on('error', () => process.exit(1));
  const io = { env: inheritedEnvironment(), stdin, stdout, stderr };
  process.exitCode = await run(process.argv.slice(2), io, loadRoutes);
  // An open standard input must not keep the process alive.
  stdin.destroy();
}
