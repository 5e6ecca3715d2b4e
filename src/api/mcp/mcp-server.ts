import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError, PayloadTooLarge, type Problem } from '../../platform/errors.js';
import type { ApiTool } from './tool.js';
import { INSTRUCTIONS } from './tool-list.js';

/** More would fill the memory of an assistant with one answer. */
const MAX_ANSWER_CHARACTERS = 400_000;

export interface McpServerDeps<Services> {
  tools: readonly ApiTool<Services>[];
  version: string;
  /**
   * Calls the API as the owner of the key, with the arguments of the message. Returns the JSON of the answer, an empty text
   * without a body.
   * @throws AppError for what the API refuses.
   */
  call: (tool: ApiTool<Services>, given: unknown) => Promise<string>;
}

/** Creates an MCP server whose tools are operations of the API. Connect a transport to it, and close it. */
export function createMcpServer<Services>({ tools, version, call }: McpServerDeps<Services>): McpServer {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const mcp = new McpServer(
    { name: 'fabula', title: 'Fabula', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(shown) }));
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const tool = byName.get(params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`);
    try {
      return textResult(await call(tool, params.arguments));
    } catch (error) {
      // A refusal is for the assistant, which can do better; anything else is a fault of the server.
      if (error instanceof AppError) return refusal(error.status, error.problems);
      throw error;
    }
  });
  return mcp;
}

function shown<Services>({ name, description, inputSchema, annotations }: ApiTool<Services>): Tool {
  return { name, title: annotations.title, description, inputSchema, annotations };
}

function textResult(text: string): CallToolResult {
  if (text.length <= MAX_ANSWER_CHARACTERS) return { content: [{ type: 'text', text: text || 'Done' }] };
  const { status, problems } = new PayloadTooLarge(
    `The answer has ${text.length} characters, and a tool returns ${MAX_ANSWER_CHARACTERS} at most: ask for less`,
  );
  return refusal(status, problems);
}

function refusal(status: number, errors: Problem[]): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ status, errors }) }] };
}
