import type { Static, TSchema } from 'typebox'
import { fail, isFilemgrError, type ErrorCode } from '../../domain/errors.ts'
import { isNewer } from '../../platform/version.ts'
import { createValueCheck, type ValueCheck } from '../../platform/validation/value-check.ts'
import type { Fields, ListKeys } from './document-changes.ts'
import { createDrafts, type FinishedDraft } from './drafts.ts'
import { encodeDocument, type Encoded } from './encode.ts'
import { deepFreeze, fillDefaults, knowsAllFields, refuseUnknownFields, locateJsonError } from './json.ts'
import type { TLocalizedValidationError } from 'typebox/error'

export interface DocumentFormat<S extends TSchema> {
  /** Name of the file, for messages. */
  readonly name: string
  readonly schema: S
  readonly version: number
  readonly migrations: Migrations
  /** The fields that list records, by what identifies a record: their changes are journalled by record. */
  readonly keys?: ListKeys
  /** The version of this filemgr, which is saved with the document. Without it, none is. */
  readonly program?: () => string
  /**
   * A check that the schema cannot express, such as unique user ids.
   *
   * @param unchecked the document with only the new and changed records in its lists
   * @param replaced what was in the places of these records
   */
  readonly findProblem?: (
    document: Static<S>,
    unchecked: Static<S>,
    replaced: Readonly<Record<string, readonly unknown[]>>,
  ) => Problem | undefined
}

/** Which format and which filemgr a document was written by. */
export interface WrittenBy {
  /** The version of the format; lower than the current one if the document was migrated. */
  readonly version: number
  /** The version of filemgr; undefined before 1.0. */
  readonly writer: string | undefined
}

export interface Decoded<D> extends WrittenBy {
  readonly document: Readonly<D>
}

export interface DocumentCodec<D extends object> {
  readonly name: string
  /** @throws STORE_INVALID; `details.reason` is 'newer' when a later filemgr wrote the file, else 'damaged'. */
  decode(bytes: Uint8Array): Decoded<D>
  /** The fields that list records, by what identifies a record. */
  readonly keys: ListKeys
  /** The JSON object in a file, unchecked. @throws STORE_INVALID */
  parse(bytes: Uint8Array): Fields
  /** Like `decode`, for what `parse` returns. @param size characters of its text, roughly */
  decodeParsed(fields: Fields, size: number): Decoded<D>
  /** Like `decode`, for parsed JSON. @param size characters of its text, roughly */
  decodeObject(parsed: Record<string, unknown>, size: number, writer: string | undefined): Decoded<D>
  /** @throws STORE_INVALID ('newer') if this filemgr does not know the format */
  requireReadable(written: WrittenBy): void
  /** @param before the bytes of another state of the document, to reuse parts of them */
  encode(document: Readonly<D>, before?: Encoded): Promise<Encoded>
  /** The `WrittenBy` of documents that this codec encodes. */
  origin(): WrittenBy
  /** Whether an older filemgr wrote it. Such a file is kept when it is replaced. */
  isOld(written: WrittenBy): boolean
  /** A mutable copy. */
  draftOf(document: Readonly<D>): D
  /** A frozen copy of `draft` exactly as a reader of the file will see it. @throws INVALID_INPUT naming the field. */
  validate(draft: D): Readonly<D>
  /** Checks the unchecked part of a document, and freezes it. @throws as `decode` */
  validateRows(finished: FinishedDraft<D>, writer: string | undefined): Readonly<D>
}

/** A document, of which only a part has to be validated. */
type Unchecked = Pick<FinishedDraft<unknown>, 'document' | 'size' | 'replaced'> & { readonly unchecked: unknown }

/** Translates between the bytes of a file and a checked, frozen document. */
export function createDocumentCodec<S extends TSchema>(format: DocumentFormat<S>): DocumentCodec<Static<S> & object> {
  type D = Static<S> & object
  const { name, version } = format
  let known: string | undefined
  const program = () => (known ??= format.program?.())
  let loose: ValueCheck<S> | undefined
  let strict: ValueCheck<S> | undefined

  const accepts = (value: unknown, size: number): boolean => {
    loose ??= createValueCheck(format.schema)
    if (loose.accepts(value, size) && knowsAllFields(format.schema, value)) return true
    strict ??= createValueCheck(refuseUnknownFields(format.schema) as S)
    return strict.accepts(value, size)
  }

  const checked = (finished: Unchecked, code: ErrorCode, prefix: string): Readonly<D> => {
    const { document: value, unchecked, size, replaced = {} } = finished
    const problems: Problem[] = accepts(unchecked, size) ? [] : describeProblems(strict?.problems(value) ?? [])
    const found = problems[0] ?? format.findProblem?.(value as Static<S>, unchecked as Static<S>, replaced)
    if (!found) return frozen(value as D, unchecked)
    const list = (problems[0] ? problems : [found]).map(({ field, problem }) => `${field} ${problem}`).join('; ')
    return fail(code, `${prefix}${list}`, { field: found.field, reason: 'damaged' })
  }

  const isByNewer = (writer: string | undefined): boolean => {
    const own = program()
    return writer !== undefined && own !== undefined && isNewer(writer, own)
  }

  const refuseNewer = (writer: string | undefined): never => {
    const own = program() === undefined ? '' : ` (${program() ?? ''})`
    const [who, remedy] = isByNewer(writer)
      ? [`filemgr ${writer ?? ''}`, `filemgr ${writer ?? ''} or newer`]
      : ['a newer filemgr', 'that version or a newer one']
    const message = `${name} was written by ${who}, and this version${own} cannot read it. Install ${remedy}`
    return fail('STORE_INVALID', message, { reason: 'newer' })
  }

  const requireReadable = ({ version: written, writer }: WrittenBy): void => {
    if (written > version) refuseNewer(writer)
  }

  const checkedBy = (writer: string | undefined, finished: Unchecked): Readonly<D> => {
    try {
      return checked(finished, 'STORE_INVALID', `${name} is not valid: `)
    } catch (error) {
      // It may have fields that a later version has added.
      if (isByNewer(writer) && isFilemgrError(error, 'STORE_INVALID')) refuseNewer(writer)
      throw error
    }
  }

  const decodeObject = (parsed: Record<string, unknown>, size: number, writer: string | undefined): Decoded<D> => {
    const { version: written } = parsed
    if (typeof written !== 'number' || !Number.isInteger(written) || written < 1)
      fail('STORE_INVALID', `${name} is not valid: version is missing or not a whole number`, {
        field: 'version',
        reason: 'damaged',
      })
    requireReadable({ version: written, writer })
    const current = fillDefaults(format.schema, migrate(parsed, written, version, format.migrations))
    return { document: checkedBy(writer, { document: current, unchecked: current, size }), version: written, writer }
  }

  const decodeParsed = (fields: Fields, size: number): Decoded<D> => {
    // Stores from before 1.0 contain a checksum.
    const { checksum: _, filemgr, ...parsed } = fields
    return decodeObject(parsed, size, typeof filemgr === 'string' ? filemgr : undefined)
  }

  const drafts = createDrafts<D>()

  return {
    name,
    decodeObject,
    decode: (bytes) => decodeParsed(parseObject(bytes, name), bytes.length),
    decodeParsed,
    parse: (bytes) => parseObject(bytes, name),
    keys: format.keys ?? {},
    requireReadable,
    origin: () => ({ version, writer: program() }),
    isOld({ version: written, writer }) {
      const own = program()
      return written < version || (own !== undefined && (writer === undefined || isNewer(own, writer)))
    },
    async encode(document, before) {
      const own = program()
      return await encodeDocument(own === undefined ? document : { filemgr: own, ...document }, before)
    },
    draftOf: (document) => drafts.draftOf(document),
    validate: (draft) => checked(drafts.finish(draft), 'INVALID_INPUT', ''),
    validateRows: (finished, writer) => checkedBy(writer, finished),
  }
}

/** In a frozen array, `find`, `map` and `with` take ten times as long. */
const MAX_FROZEN = 1000

/**
 * Freezes a document. Only visits the unchecked part: the rest is frozen already, and a hundred thousand records take long. Of
 * long lists, only the records are frozen.
 */
function frozen<D extends object>(document: D, unchecked: unknown): Readonly<D> {
  for (const part of Object.values(unchecked as object)) {
    if (Array.isArray(part)) for (const record of part) deepFreeze(record)
    else deepFreeze(part)
  }
  for (const field of Object.values(document))
    if (!Array.isArray(field) || field.length <= MAX_FROZEN) Object.freeze(field)
  return Object.freeze(document)
}

function parseObject(bytes: Uint8Array, name: string): Fields {
  const text = decodeUtf8(bytes)
  if (text === undefined) fail('STORE_INVALID', `${name} is not valid: it is not UTF-8 text`, { reason: 'damaged' })
  const parsed = parseJson(text, name)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    fail('STORE_INVALID', `${name} is not valid: it must be one JSON object`, { reason: 'damaged' })
  return parsed as Fields
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message is left out: it quotes the file, which contains secrets.
    return fail('STORE_INVALID', `${name} is not valid: ${locateJsonError(text)}`, { reason: 'damaged' })
  }
}

/** Undefined for bytes that are not UTF-8: a lenient decoder would silently replace a flipped bit by U+FFFD. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** For example `{ field: 'users/0/username', problem: 'is missing' }`. Never contains the value, which may be secret. */
export interface Problem {
  readonly field: string
  readonly problem: string
}

const MAX_PROBLEMS = 3

/** The first few errors of the validator, in words. */
function describeProblems(errors: readonly TLocalizedValidationError[]): Problem[] {
  return errors
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .slice(0, MAX_PROBLEMS)
    .map(describe)
}

function describe(error: TLocalizedValidationError): Problem {
  const field = error.instancePath.slice(1)
  const within = field === '' ? '' : `${field}/`
  if (error.keyword === 'required')
    return { field: `${within}${error.params.requiredProperties[0] ?? ''}`, problem: 'is missing' }
  if (error.keyword === 'boolean') return { field, problem: 'is not a known field' }
  return { field: field === '' ? 'document' : field, problem: error.message }
}

/** Turns a document of one version into the next version. Pure. */
type Migration = (document: Record<string, unknown>) => Record<string, unknown>

/** Migrations by the version they start from, without gaps. */
export type Migrations = Readonly<Record<number, Migration>>

/** Migrates a document and sets its `version`. */
function migrate(
  document: Record<string, unknown>,
  from: number,
  to: number,
  migrations: Migrations,
): Record<string, unknown> {
  let migrated = document
  for (let version = from; version < to; version++) {
    const step = migrations[version]
    if (!step) throw new Error(`There is no migration from version ${version}`)
    migrated = { ...step(migrated), version: version + 1 }
  }
  return migrated
}
