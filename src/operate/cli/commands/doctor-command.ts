import type { Command } from 'commander';
import { readConfig } from '../../../config/face.js';
import { checkEnvironment, checkHost } from '../doctor-checks.js';
import { environmentWithStores, startedEnvironment } from '../cli-environment.js';
import type { Cli } from '../cli.js';
import { exitCodeOf, doctorReportText } from '../../doctor/report.js';

/** `doctor`: looks for what is wrong with the stores, the configuration and this machine (docs/operate/doctor.md). */
export function addDoctorCommand(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description(
      'check the stores, configuration, mail, DNS and disk for problems; exit code 1 for warnings, 2 for errors',
    )
    .action(
      cli.offlineAction(async () => {
        const read = async () => {
          const env = await startedEnvironment(cli.io.env);
          return { env, config: readConfig(await environmentWithStores(env)) };
        };
        const report = await checkEnvironment(cli.io.env, read, checkHost);
        return { json: report, text: doctorReportText(report), exitCode: exitCodeOf(report) };
      }),
    );
}
