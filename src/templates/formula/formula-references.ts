import type { TemplateReferences } from '../template.js';
import type { Expression, FormulaText, TextPart } from './syntax-tree.js';

/** Names that are bound where an expression stands: they refer to no event. */
type Bound = ReadonlySet<string>;

/** What a parsed text refers to; computed keys of RESOURCE and its like count as well. */
export function referencesOf(text: FormulaText): TemplateReferences {
  const names = new Set<string>();
  const roots = new Set<string>();
  const pending: { part: Expression | TextPart; bound: Bound }[] = [];
  const push = (bound: Bound, parts: readonly (Expression | TextPart)[]) => {
    for (const part of parts) pending.push({ part, bound });
  };
  push(new Set(), text.kind === 'formula' ? [text.expression] : text.parts);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, bound } = next;
    if (part.kind === 'reference' && !bound.has(part.name)) names.add(part.name);
    if (part.kind === 'named') roots.add(part.root);
    if (part.kind === 'for') {
      push(bound, [part.collection]);
      push(new Set([...bound, part.variable, 'FORLOOP']), part.parts);
    } else if (part.kind === 'lambda') push(new Set([...bound, ...part.parameters]), [part.body]);
    else push(bound, partsOf(part));
  }
  return {
    names: [...names],
    resources: roots.has('RESOURCE'),
    credentials: roots.has('CREDENTIAL'),
    stories: roots.has('STORY'),
  };
}

/** What stands directly inside, with the same names bound. */
function partsOf(part: Expression | TextPart): (Expression | TextPart)[] {
  switch (part.kind) {
    case 'pill':
      return [part.expression];
    case 'if':
      return part.branches.flatMap(({ condition, parts }) =>
        condition === undefined ? parts : [condition, ...parts],
      );
    case 'named':
      return [part.key];
    case 'list':
      return part.items;
    case 'object':
      return part.entries.flatMap(({ key, value }) => [key, value]);
    case 'call':
      return part.args;
    case 'unary':
      return [part.operand];
    case 'binary':
    case 'pipe':
      return [part.left, part.right];
    case 'member':
      return [part.left, part.key];
    default:
      return [];
  }
}
