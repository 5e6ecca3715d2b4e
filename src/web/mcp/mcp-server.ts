import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError, type Problem, Unprocessable } from '../../platform/errors.js';
import { isJsonObject, type JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { JsonMembers } from '../../platform/json/json-members.js';
import { takeForm } from './responses/response-form.js';
import { type ApiRequest, apiRequestOf } from './api-request.js';
import { holdsCutText } from '../../platform/json/shortened-json.js';
import type { ApiTool } from './tool.js';
import { INSTRUCTIONS } from './tool-list.js';
import {
  type ResponseForm,
  type ResponseOrder,
  type ToolResponse,
  writtenResponse,
} from './responses/written-response.js';

/** A call of a tool. */
export interface ToolCall<Services> {
  tool: ApiTool<Services>;
  request: ApiRequest;
  /** The wanted form of the response; undefined for a tool without one. */
  form: ResponseForm | undefined;
  /** Aborts when the client cancels the call or the connection ends. */
  signal: AbortSignal;
}

export interface McpServerDeps<Services> {
  tools: readonly ApiTool<Services>[];
  version: string;
  /** The arguments of the only call, if they were split off its message; absent: they are in the messages. */
  given?: JsonMembers | undefined;
  /**
   * Calls the API as the owner of the key.
   * @throws AppError for what the API refuses.
   */
  call: (call: ToolCall<Services>) => Promise<ToolResponse>;
  /** Writes a response as `writtenAnswer` does; absent: on the event loop. */
  write?: (order: ResponseOrder) => Promise<string>;
}

/** Creates an MCP server whose tools are operations of the API. Connect a transport to it, and close it. */
export function createMcpServer<Services>(deps: McpServerDeps<Services>): McpServer {
  const { tools, version, given } = deps;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const mcp = new McpServer(
    { name: 'fabula', title: 'Fabula', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(shown) }));
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = byName.get(params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`);
    try {
      return await called({ tool, given: given ?? membersOf(params.arguments), signal }, deps);
    } catch (error) {
      // A refusal is for the assistant, which can do better; anything else is a fault of the server.
      if (error instanceof AppError) return refusal(error.status, error.problems);
      throw error;
    }
  });
  return mcp;
}

/** @throws AppError for what the tool or the API refuses. */
async function called<Services>(
  { tool, given, signal }: { tool: ApiTool<Services>; given: JsonMembers; signal: AbortSignal },
  { call, write = async (order) => writtenResponse(order) }: McpServerDeps<Services>,
): Promise<CallToolResult> {
  const { shape, annotations, isSentBack, inQuery } = tool;
  const { form, rest } = shape === undefined ? { rest: given } : takeForm(shape, given);
  if (!annotations.readOnlyHint) refuseCutTexts(rest);
  const response = await call({ tool, request: apiRequestOf(tool, rest), form, signal });
  if (form === undefined || response.text === '')
    return { content: [{ type: 'text', text: response.text || 'Done' }] };
  const text = await write({
    response,
    form,
    list: shape?.list,
    hasPages: inQuery.has('per_page'),
    isSentBack,
  });
  return { content: [{ type: 'text', text }], structuredContent: parseJson(text) as JsonObject };
}

function shown<Services>(tool: ApiTool<Services>): Tool {
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    title: annotations.title,
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    annotations,
  };
}

/** Arguments that were read with their message, as texts again: all are handled alike. */
function membersOf(values: unknown): JsonMembers {
  const entries = Object.entries(isJsonObject(values) ? values : {});
  return { texts: new Map(entries.map(([name, value]) => [name, stringifyJson(value)])), more: 0 };
}

/** @throws Unprocessable for a text that a response cut: written back, it would replace the whole one. */
function refuseCutTexts({ texts }: JsonMembers): void {
  const names = [...texts].filter(([, json]) => holdsCutText(json)).map(([name]) => name);
  if (names.length === 0) return;
  throw new Unprocessable(
    names.map((name) => ({
      message: `"${name}" contains truncated text: read the full text before sending it back`,
      details: name,
    })),
  );
}

function refusal(status: number, errors: Problem[]): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ status, errors }) }] };
}
