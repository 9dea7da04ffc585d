import { type Static, Type } from 'typebox'

const LETTERS = ['keep', 'lower', 'upper', 'words'] as const
const MAX_TEXT = 255

/**
 * How the new names of several entries are made: text is found and replaced in the old name, the template is filled, then the
 * letters are changed. The extension of a file stays, unless `extension` is set.
 */
export const RenamePattern = Type.Object({
  template: Type.Optional(
    Type.String({
      default: '{name}',
      maxLength: MAX_TEXT,
      title: 'New name',
      description: 'without the extension; {name} is the old name, {n} a counter, {date} the day of the last change',
    }),
  ),
  find: Type.Optional(Type.String({ maxLength: MAX_TEXT, title: 'Text to find', description: 'in the old name' })),
  replace: Type.Optional(
    Type.String({ maxLength: MAX_TEXT, title: 'Text to put in its place', description: 'nothing by default' }),
  ),
  ignoreCase: Type.Optional(Type.Boolean({ default: false, title: 'Find upper and lower case letters alike' })),
  letters: Type.Optional(
    Type.Enum(LETTERS, {
      default: 'keep',
      title: 'Letters of the new name',
      description: 'as they are, lower case, upper case, or with a capital at the start of each word',
    }),
  ),
  extension: Type.Optional(
    Type.Boolean({ default: false, title: 'Find, replace and change letters in extensions too' }),
  ),
  start: Type.Optional(Type.Integer({ default: 1, minimum: 0, maximum: 1e9, title: 'First number of the counter' })),
  step: Type.Optional(Type.Integer({ default: 1, minimum: 1, maximum: 1e6, title: 'From one number to the next' })),
  digits: Type.Optional(
    Type.Integer({ default: 1, minimum: 1, maximum: 10, title: 'Least digits of a number, filled up with zeros' }),
  ),
  date: Type.Optional(
    Type.String({
      default: 'YYYY-MM-DD',
      maxLength: 64,
      title: 'Form of a date',
      description: 'YYYY, MM, DD, hh, mm and ss stand for its parts',
    }),
  ),
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, title: 'Time zone of dates', description: 'such as Europe/Berlin; otherwise UTC' }),
  ),
})
export type RenamePattern = Static<typeof RenamePattern>
