import { type AuditChange, auditText, cutHash } from '../domain/server/audit.ts'
import { isRecord } from '../domain/schema/schema-tools.ts'
import { changedSpan } from '../platform/changed-span.ts'
import type { StoreDocument } from '../store/document.ts'

type Fields = Readonly<Record<string, unknown>>

/** How the records of a list are named, and what of them changes by mere use, or says nothing to a person. */
interface ListOf {
  readonly label: string
  readonly key: string
  readonly nameOf: (record: Fields) => unknown
  readonly ignored: readonly string[]
}

const LISTS: Readonly<Partial<Record<keyof StoreDocument, ListOf>>> = {
  users: {
    label: 'user',
    key: 'id',
    nameOf: ({ username }) => username,
    ignored: [
      'id',
      'updatedAt',
      'credentialsVersion',
      'lastSeenAt',
      'recent',
      'noticesSeen',
      'factors',
      'factorAskedAt',
    ],
  },
  roots: { label: 'root', key: 'id', nameOf: ({ name }) => name, ignored: ['id'] },
  groups: { label: 'group', key: 'id', nameOf: ({ name }) => name, ignored: ['id'] },
  shares: {
    label: 'link',
    key: 'hash',
    nameOf: ({ hash }) => cutHash(String(hash)),
    ignored: [
      'hash',
      'target',
      'openings',
      'lastOpened',
      'downloads',
      'lastDownload',
      'counted',
      'received',
      'arrivals',
      'seen',
    ],
  },
  grants: { label: 'shared', key: 'id', nameOf: ({ name }) => name, ignored: ['id', 'target'] },
  webhooks: { label: 'webhook', key: 'id', nameOf: ({ name, id }) => name || id, ignored: ['id'] },
  tokens: { label: 'token', key: 'id', nameOf: ({ name }) => name, ignored: ['id', 'hash', 'created', 'lastUsed'] },
}

/** Fields whose values are command lines or addresses of programs. */
const LINES = ['commands', 'hookLimits', 'auth', 'webhooks']

const SECRET = /(password|secret|hash|tokenKey)$/i
/** Of one value; enough for most rules and hooks. */
const MAX_VALUE = 300
/** A secret within a longer text is not recognized after this: the text is cut here first. */
const MAX_READ = 2048

/** What a change of the store changed, without secrets. Reads only the records that are not the same objects. */
export function* whatChanged(before: StoreDocument, now: StoreDocument): Generator<AuditChange, void, void> {
  for (const [field, list] of Object.entries(LISTS))
    yield* changedRecords(field, list, before[field as 'users'], now[field as 'users'])
  for (const field of ['settings', 'server'] as const) yield* changedFields(before[field], now[field])
  yield* changedFields({ maintenance: before.maintenance }, { maintenance: now.maintenance })
  yield* changedFields(before.secrets, now.secrets)
}

function* changedRecords(
  field: string,
  { label, key, nameOf, ignored }: ListOf,
  before: readonly Fields[],
  now: readonly Fields[],
): Generator<AuditChange, void, void> {
  if (before === now) return
  const { start, end } = changedSpan(before, now)
  const old = new Map(before.slice(start, before.length - end).map((record) => [record[key], record]))
  const describe = function* (record: Fields, was: Fields | undefined, is: Fields | undefined) {
    const of = auditText(`${label} ${String(nameOf(record))}`, MAX_VALUE)
    for (const change of changedFields(without(was, ignored), without(is, ignored), [field])) yield { of, ...change }
  }
  for (const record of now.slice(start, now.length - end)) {
    const was = old.get(record[key])
    old.delete(record[key])
    if (was !== record) yield* describe(was ?? record, was, record)
  }
  for (const record of old.values()) yield* describe(record, record, undefined)
}

function without(record: Fields | undefined, ignored: readonly string[]): Fields | undefined {
  return record && Object.fromEntries(Object.entries(record).filter(([name]) => !ignored.includes(name)))
}

/** @param within the fields around it. An absent record has no fields: of a new one, those that are empty are left out. */
function* changedFields(
  before: unknown,
  now: unknown,
  within: readonly string[] = [],
  path: readonly string[] = [],
): Generator<AuditChange, void, void> {
  if (before === now) return
  if (isRecord(before) || isRecord(now)) {
    const [was, is] = [before, now].map((value) => (isRecord(value) ? value : {})) as [Fields, Fields]
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
      yield* changedFields(was[name], is[name], within, [...path, name])
    return
  }
  const name = path.join('.')
  const text = (value: unknown) => valueText(value, [...within, ...path])
  if (Array.isArray(before) || Array.isArray(now)) {
    yield* changedItems(name, asList(before), asList(now), text)
    return
  }
  const isNew = before === undefined || now === undefined
  if (JSON.stringify(before) === JSON.stringify(now) || (isNew && isEmpty(before) && isEmpty(now))) return
  yield {
    name: SECRET.test(name) ? name.replace(/Hash$/, '') : name,
    ...(before !== undefined && { old: text(before) }),
    ...(now !== undefined && { new: text(now) }),
  }
}

/** Items that were added or removed; the whole list if only their order differs. */
function* changedItems(
  name: string,
  before: readonly unknown[],
  now: readonly unknown[],
  text: (value: unknown) => string,
): Generator<AuditChange, void, void> {
  const [was, is] = [before, now].map((list) => list.map((item) => JSON.stringify(item))) as [string[], string[]]
  const left = [...was]
  const added = is.filter((item) => {
    const at = left.indexOf(item)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  for (const item of left) yield { name, old: text(JSON.parse(item)) }
  for (const item of added) yield { name, new: text(JSON.parse(item)) }
  const isMoved = left.length === 0 && added.length === 0 && was.some((item, at) => item !== is[at])
  if (isMoved) yield { name, old: text(before), new: text(now) }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isEmpty = (value: unknown) => value === undefined || value === '' || value === false || value === 0

const TIMES = ['expires', 'expire', 'created']
/** Milliseconds since 1970 are larger, and seconds smaller. */
const MILLISECONDS = 1e11

function plainText(value: unknown, name: string): string {
  if (typeof value === 'number' && value > 0 && TIMES.includes(name))
    return new Date(value < MILLISECONDS ? value * 1000 : value).toISOString()
  return JSON.stringify(value, (_key, part: unknown) => part ?? undefined)
}

function valueText(value: unknown, path: readonly string[]): string {
  if (typeof value === 'string' && SECRET.test(path.at(-1) ?? '')) return value === '' ? '' : MASK
  const text = typeof value === 'string' ? value : plainText(value, path.at(-1) ?? '')
  const hidesPaths = LINES.includes(path[0] ?? '')
  return auditText(maskedText(text.slice(0, MAX_READ), { hidesPaths }), MAX_VALUE)
}

/** Stands for a secret. */
const MASK = '***'

/** A name of something secret, such as "passwordHash", "--api-key" or "DB_PASSWORD". */
const SECRET_NAME = /pass(word|wd|phrase)?|pwd|secret|token|credential|api[-_]?key|access[-_]?key|private[-_]?key|hash/i

/** "name=value", "name: value" and "--name value", where the name is that of a secret. */
const NAMED = new RegExp(
  `((?:^|[\\s"'&?;,{])-{0,2}[\\w.-]*?(?:${SECRET_NAME.source})[\\w.-]*["']?(?:\\s*[=:]\\s*|\\s+(?=\\S)(?<=-\\S*\\s+)))("[^"]*"|'[^']*'|[^\\s&;,]+)`,
  'gi',
)
const HEADER = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi
/** "-u name:password" of curl. */
const USER = /(\s-u\s*|\s--user[\s=])("[^"]*"|'[^']*'|\S+)/g
/** The password in an address. It may contain "/" or "@", if somebody did not encode it. */
const ADDRESS = /([a-z][a-z\d+.-]*:\/\/[^\s:@/?#]*):[^\s"']*@/gi
/** What follows the host of a web address: the addresses of many webhooks are secret. */
const AFTER_HOST = /\b(https?:\/\/[^\s/?#"']+)[/?#][^\s"']+/gi

/**
 * A text without the passwords and tokens in it, as far as they can be recognized.
 *
 * @param hidesPaths for command lines and webhooks: also what follows the host in web addresses
 */
export function maskedText(text: string, { hidesPaths = false } = {}): string {
  const masked = text
    .replaceAll(ADDRESS, `$1:${MASK}@`)
    .replaceAll(HEADER, `$1 ${MASK}`)
    .replaceAll(USER, `$1${MASK}`)
    .replaceAll(NAMED, (whole, before: string, value: string) =>
      /^(bearer|basic)$/i.test(value) ? whole : before + MASK,
    )
  return hidesPaths ? masked.replaceAll(AFTER_HOST, `$1/${MASK}`) : masked
}
