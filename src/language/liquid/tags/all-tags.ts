import { CaptureTag, type Context, type Emitter, type Liquid, Tag } from 'liquidjs';
import { promptLink } from '../../prompt-link.js';
import type { TemplateScope } from '../../template.js';
import { findNamed, type NamedKind } from '../../named-values.js';
import { TemplateOutput } from '../ruby/output.js';
import { scopeOf } from '../render-scope.js';
import { textOf } from '../../values/values.js';
import { LiquidCaseTag, IfTag } from './condition-tags.js';
import { CycleTag } from './cycle-tag.js';
import { ForTag } from './for-tag.js';
import { IfChangedTag } from './ifchanged-tag.js';
import { RegexReplaceTag } from './regex-replace-tag.js';
import { TableRowTag } from './tablerow-tag.js';
import { CommentTag, VerbatimTag } from './verbatim-tags.js';

/** Tags that would read files. */
const UNSAFE_TAGS = ['include', 'render', 'layout', 'block'];

/** Captures the same text as an output: a list or object becomes JSON, not `[object Object]`. */
class TextCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const output = new TemplateOutput();
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    Object.assign(context.bottom(), { [this.variable]: output.buffer });
  }
}

/** Tags that work as in Ruby's Liquid, where those of liquidjs do not, and tags of Huginn. */
const STANDARD_TAGS = {
  capture: TextCaptureTag,
  case: LiquidCaseTag,
  comment: CommentTag,
  cycle: CycleTag,
  doc: CommentTag,
  for: ForTag,
  if: IfTag,
  ifchanged: IfChangedTag,
  raw: VerbatimTag,
  regex_replace: RegexReplaceTag,
  regex_replace_first: RegexReplaceTag,
  tablerow: TableRowTag,
  unless: IfTag,
};

/** Removes the unsafe tags and adds those of stories (`credential`, `line_break` …). */
export function registerTags(liquid: Liquid): void {
  for (const name of UNSAFE_TAGS) delete liquid.tags[name];
  for (const [name, tag] of Object.entries(STANDARD_TAGS)) liquid.registerTag(name, tag);
  liquid.registerTag('credential', namedTag('CREDENTIAL'));
  liquid.registerTag('global_resource', namedTag('RESOURCE'));
  liquid.registerTag('story', namedTag('STORY'));
  liquid.registerTag(
    'story_run_guid',
    tagOf((_, scope) => scope.storyRunGuid),
  );
  liquid.registerTag(
    'story_run_link',
    tagOf((_, scope) => runLink(scope)),
  );
  liquid.registerTag(
    'line_break',
    tagOf(() => '\n'),
  );
  liquid.registerTag(
    'prompt',
    tagOf((name, scope) => promptLink(name.replace(/^(["'])(.*)\1$/s, '$2'), scope)),
  );
}

/** Creates a tag that writes the result of `write` for its argument text. */
function tagOf(write: (argument: string, scope: TemplateScope) => unknown) {
  return class extends Tag {
    override render(context: Context, emitter: Emitter): void {
      emitter.write(write(this.token.args.trim(), scopeOf(context)));
    }
  };
}

function namedTag(kind: NamedKind) {
  return tagOf((name, scope) => findNamed(scope, kind, name));
}

/** Returns `META.story_run.link` if the engine provides it, otherwise a link from the tenant's domain. */
function runLink({ meta, storyRunGuid }: TemplateScope): string {
  const [run, tenant, story] = [meta.story_run, meta.tenant, meta.story].map(
    (part) => Object(part) as Record<string, unknown>,
  );
  if (typeof run?.link === 'string') return run.link;
  const domain = typeof tenant?.domain === 'string' ? tenant.domain : 'localhost';
  const base = /^https?:\/\//.test(domain) ? domain : `https://${domain}`;
  return `${base}/stories/${textOf(story?.id)}/runs/${storyRunGuid}`;
}
