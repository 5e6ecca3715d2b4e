import type { JsonObject } from '../../platform/json.js';

/** The parts of OpenAPI 3.1 that the document uses. */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonObject> } & JsonObject;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonObject;
  style?: 'form';
  explode?: boolean;
  example?: unknown;
}

export type Response = SchemaReference | DescribedResponse;

export interface DescribedResponse {
  description: string;
  headers?: Record<string, SchemaReference>;
  content?: ResponseContent;
}

export interface SchemaReference {
  $ref: string;
}

interface Media {
  schema: JsonObject;
  example?: unknown;
}

/** The content of a request. */
export type Content = Record<'application/json', Media>;
/** The content of a response; of events the schema describes one. */
export type ResponseContent = Partial<Record<'application/json' | 'text/plain' | 'text/event-stream', Media>>;
