import { JSONPathNode, type JSONPathQuery, jsonpath } from 'json-p3';

type Segment = JSONPathQuery['segments'][number];
type Selector = Segment['selectors'][number];
type CheckTime = () => void;

const { FilterSelector } = jsonpath.selectors;
const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } =
  jsonpath.expressions;

/** Location of every node: unused here, and real ones would take more memory than the values. */
const NOWHERE: (string | number)[] = [];

/**
 * Yields the nodes that a query finds, one by one. json-p3's own walk builds lists of nodes and cannot be
 * interrupted: a path such as `$[0,0][0,0][0,0]…` never ends and finds nothing.
 */
export function findNodes(
  query: JSONPathQuery,
  value: unknown,
  checkTime: CheckTime,
): Iterable<JSONPathNode> {
  let nodes: Iterable<JSONPathNode> = [nodeOf(value, value)];
  for (const segment of query.segments) nodes = step(segment, nodes, checkTime);
  return nodes;
}

/** Makes the queries inside the filters of a query use the same walk. */
export function boundNestedQueries(query: JSONPathQuery, checkTime: CheckTime): void {
  for (const { selectors } of query.segments) {
    for (const selector of selectors) {
      if (selector instanceof FilterSelector) boundExpression(selector.expression, checkTime);
    }
  }
}

function boundExpression(expression: unknown, checkTime: CheckTime): void {
  if (expression instanceof FilterQuery) {
    const { path } = expression;
    Object.assign(path, { lazyQuery: (value: unknown) => findNodes(path, value, checkTime) });
    boundNestedQueries(path, checkTime);
  } else if (expression instanceof LogicalExpression) boundExpression(expression.expression, checkTime);
  else if (expression instanceof PrefixExpression) boundExpression(expression.right, checkTime);
  else if (expression instanceof InfixExpression) {
    boundExpression(expression.left, checkTime);
    boundExpression(expression.right, checkTime);
  } else if (expression instanceof FunctionExtension) {
    for (const argument of expression.args) boundExpression(argument, checkTime);
  }
}

function* step(
  segment: Segment,
  nodes: Iterable<JSONPathNode>,
  checkTime: CheckTime,
): Generator<JSONPathNode> {
  const descends = segment.toString().startsWith('..');
  for (const node of nodes) {
    for (const visited of descends ? withDescendants(node) : [node]) {
      for (const selector of segment.selectors) {
        checkTime();
        for (const found of select(selector, visited, checkTime)) yield nodeOf(found.value, found.root);
      }
    }
  }
}

/** Yields the node and all its descendants, each before its children. */
function* withDescendants(node: JSONPathNode): Generator<JSONPathNode> {
  const pending: unknown[] = [node.value];
  while (pending.length > 0) {
    const value = pending.pop();
    yield nodeOf(value, node.root);
    const children = childrenOf(value);
    for (let index = children.length - 1; index >= 0; index -= 1) pending.push(children[index]);
  }
}

function* select(selector: Selector, node: JSONPathNode, checkTime: CheckTime): Generator<JSONPathNode> {
  if (!(selector instanceof FilterSelector)) {
    yield* selector.lazyResolve(node);
    return;
  }
  const { environment } = selector;
  for (const child of childrenOf(node.value)) {
    checkTime();
    // Lazy, because otherwise queries inside the filter would not use the walk above.
    const context = { environment, currentValue: child as never, rootValue: node.root, lazy: true };
    if (selector.expression.evaluate(context)) yield nodeOf(child, node.root);
  }
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function nodeOf(value: unknown, root: unknown): JSONPathNode {
  return new JSONPathNode(value as never, NOWHERE, root as never);
}
