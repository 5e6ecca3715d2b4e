import Joi from 'joi';
import { component, responseSchema } from '../../api/face.js';
import { nameField, wholeTextField } from '../../people/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { jsonObject } from '../../platform/validation/json-object.js';
import { inputsField } from '../agents/write/agent-body.js';
import { LIMITS } from '../import/import-limits.js';
import { exportedLink } from '../import/import-request.js';
import type { RenameOrder } from './rename-action.js';

/** The body of a rename: a document as an editor holds it, valid or not yet. */
export interface RenameBody extends Pick<RenameOrder, 'agents' | 'links' | 'name'> {
  story_id: number;
  notes?: RenameOrder['notes'] | null;
  guid?: string;
  index?: number;
}

/** The body of several renames. */
export interface RenamesBody extends Omit<RenameBody, 'guid' | 'index' | 'name'> {
  renames: { index: number; name: string }[];
}

const place = Joi.number().integer().min(0);
const text = Joi.string().allow('');

const documentAction = component(
  'DocumentAction',
  Joi.object({
    type: Joi.string().max(64).required().description('Action type'),
    name: wholeTextField.allow('').required().description('Display name'),
    guid: Joi.string().max(255).allow(null).description('Id that is stable across exports'),
    options: jsonObject().required().description('Options of the action type'),
    action_inputs: inputsField.description('Template inputs, available as `INPUT`'),
    record_writers: Joi.array().allow(null).description('Formulas of record fields'),
  })
    .unknown(true)
    .description('An action of a document; other keys have no effect'),
);

const documentNote = component(
  'DocumentNote',
  Joi.object({
    guid: Joi.string().max(255).allow('', null).description('Id that is stable across exports'),
    content: text.required().description('Text, which may contain markup'),
  })
    .unknown(true)
    .description('A note of a document; other keys have no effect'),
);

const documentKeys = {
  story_id: idField
    .required()
    .description('The story or draft under edit, whose language the templates have'),
  agents: Joi.array().items(documentAction).max(LIMITS.agents).required().description('All actions'),
  links: Joi.array().items(exportedLink).max(LIMITS.links).required().description('All links between them'),
  notes: Joi.array().items(documentNote).max(LIMITS.notes).allow(null).description('All notes'),
};

/** The body of a rename (spec §3.18). */
export const renameBody = Joi.object<RenameBody>({
  ...documentKeys,
  guid: Joi.string().max(255).description('The action to rename'),
  index: place.description('Its position in `agents`, from 0, instead of `guid`'),
  name: nameField.required().description('Its new name'),
}).xor('guid', 'index');

/** The most renames of one request. */
const MOST_RENAMES = 500;

/** The body of several renames (spec §3.18). */
export const renamesBody = Joi.object<RenamesBody>({
  ...documentKeys,
  renames: Joi.array()
    .items(
      Joi.object({
        index: place.required().description('Its position in `agents`, from 0'),
        name: nameField.required().description('Its new name'),
      }),
    )
    .min(1)
    .max(MOST_RENAMES)
    .required()
    .description('The actions to rename, one after the other'),
});

const partKeys = {
  part: Joi.string().valid('action', 'note').description('The kind of part that has the text'),
  index: place.description('Position in `agents` or `notes`, from 0'),
  guid: text.allow(null).description('null if it has none'),
  name: text.allow(null).description('Name of the action; null for a note'),
  path: text.description('Such as `options.payload.fields[0].text`'),
  keys: Joi.array().items(Joi.alternatives(place, text)).description('The same path as keys and positions'),
};

const placeKeys = {
  ...partKeys,
  line: place.description('From 1'),
  column: place.description('From 1'),
  before: text.description('The line around the place'),
  after: text.description('The same after the rename'),
};

const namedAction = responseSchema({
  index: place.description('Position in `agents`, from 0'),
  guid: text.allow(null).description('null if it has none'),
  name: text,
});

const changedKeys = {
  agents: Joi.array()
    .items(
      component(
        'RenamedAction',
        responseSchema({
          index: place.description('Position in `agents`, from 0'),
          guid: text.allow(null).description('null if it has none'),
          name: text.description('Name after the rename'),
          options: Joi.object().unknown(true).description('All options, in their order'),
        }).keys({
          action_inputs: inputsField.description('Present if they change'),
          record_writers: Joi.array().description('Present if they change'),
        }),
      ),
    )
    .description('The actions that change'),
  notes: Joi.array()
    .items(
      component(
        'RenamedNote',
        responseSchema({
          index: place.description('Position in `notes`, from 0'),
          guid: text.allow(null).description('null if it has none'),
          content: text.description('All of its text after the rename'),
        }),
      ),
    )
    .description('The notes that change'),
};

/** What several renames change. */
export const renamesPreviewSchema = component(
  'RenamesPreview',
  responseSchema({
    count: place.description('How many places change, the names included'),
    ...changedKeys,
  }),
);

/** What a rename changes. */
export const renamePreviewSchema = component(
  'RenamePreview',
  responseSchema({
    slug: responseSchema({
      before: text.description('Name in templates'),
      after: text.description('New name in templates'),
    }).description('How templates refer to the action'),
    count: place.description('How many places change, the name included'),
    places: Joi.array()
      .items(component('RenamedPlace', responseSchema(placeKeys)))
      .description('The first 1,000 places that change'),
    ...changedKeys,
    shared: Joi.array()
      .items(
        component(
          'SharedSlug',
          responseSchema({
            slug: text.description('Name in templates'),
            actions: Joi.array().items(namedAction).description('Other actions with this slug'),
            places: Joi.array()
              .items(
                component(
                  'SharedPlace',
                  responseSchema({
                    ...placeKeys,
                    renamed: Joi.boolean().description('Whether the place changes'),
                  }),
                ),
              )
              .description('The first 1,000 places that may mean this action or one of the others'),
          }),
        ),
      )
      .description('The old and the new slug, if other actions have them too'),
    unsure: Joi.array()
      .items(
        component(
          'UnsureReference',
          responseSchema({ ...partKeys, reason: text.description('Why it is not known') }),
        ),
      )
      .description('The first 1,000 texts that may refer to the action unseen; unchanged'),
  }),
);
