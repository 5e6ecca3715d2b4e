import type { Command } from 'commander';
import type { AnyRoute } from '../../../api/face.js';
import { productVersion } from '../../../platform/outbound/product-version.js';
import type { Cli } from '../cli.js';
import type { CliIo } from '../cli-io.js';
import { apiPlace } from '../files/api-client.js';

/** Loads the routes of the API, which no other command needs. */
export type LoadRoutes = () => Promise<readonly AnyRoute<never>[]>;

const DEFAULT_URL = 'http://127.0.0.1:3000';
const NAMES = { url: 'FABULA_URL', key: 'FABULA_KEY', orKey: '; "key create" makes one' };

/** `mcp`: gives the operations of a server as tools to the assistant that starts it. Needs no database. */
export function addMcpCommand(program: Command, cli: Cli, loadRoutes: LoadRoutes): void {
  program
    .command('mcp')
    .description(
      `run an MCP server on standard input and output that offers the API at FABULA_URL (default: ${DEFAULT_URL}) as tools, using the key in FABULA_KEY`,
    )
    .action(() => serveMcp(cli.io, loadRoutes));
}

/** Resolves when the assistant has closed standard input, which ends the calls that still run. @throws Error without a key, or for an address that is none. */
async function serveMcp({ env, stdin, stdout }: CliIo, loadRoutes: LoadRoutes): Promise<void> {
  const remote = apiPlace(env, { url: env.FABULA_URL ?? DEFAULT_URL }, NAMES);
  const [routes, { toolsOf }, { createMcpServer }, { callOverHttp }, { StdioServerTransport }] =
    await Promise.all([
      loadRoutes(),
      import('../../../web/mcp/tool.js'),
      import('../../../web/mcp/mcp-server.js'),
      import('../../../web/mcp/api-over-http.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ]);
  const mcp = createMcpServer({
    tools: toolsOf(routes),
    version: productVersion(),
    call: ({ request, signal }) => callOverHttp(remote, request, signal),
  });
  const ended = new Promise<void>((resolve) => stdin.once('end', resolve).once('close', resolve));
  await mcp.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  await mcp.close();
}
