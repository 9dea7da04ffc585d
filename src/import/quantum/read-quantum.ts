import { fail } from '../../domain/errors.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import { readBolt } from '../boltdb/read-boltdb.ts'
import type { SqliteRow } from '../sqlite/read-sqlite.ts'
import { type OldRecord, recordOf, textOf } from '../filebrowser/old-record.ts'
import { bucketOf, stormRecords, stormValues } from '../filebrowser/storm.ts'
import type { AccessRule, QuantumDatabase } from './quantum-database.ts'
import { accessRuleOf, setOf, shareOf, userOf } from './quantum-records.ts'

const ACCESS = 'access_rules'
/** The bucket of the shares has had two names. */
const SHARES = ['Link', 'Share']

/**
 * The database of FileBrowser Quantum 1, a BoltDB file; undefined for one of another program.
 *
 * @throws INVALID_INPUT if it is damaged
 */
export function quantumFromBolt(bytes: Uint8Array): QuantumDatabase | undefined {
  const database = readBolt(bytes)
  const users = [...stormRecords(database, 'User').values()]
  const isQuantum = bucketOf(database, ACCESS) !== undefined || users.some((user) => 'permissions' in user)
  if (!isQuantum) return undefined
  const access = accessOf(stormValues(database, ACCESS).get('rules'))
  return {
    users: users.map(userOf),
    shares: SHARES.flatMap((name) => [...stormRecords(database, name).values()]).map(shareOf),
    rules: Object.entries(recordOf(access, 'all_rules')).flatMap(([source, rules]) => rulesOf(source, rules)),
    groups: new Map(Object.entries(recordOf(access, 'groups')).map(([name, members]) => [name, setOf(members)])),
    quotas: 0,
  }
}

/** The rules are JSON in a byte array, which JSON holds as base64. */
function accessOf(stored: unknown): OldRecord {
  return typeof stored === 'string' ? parse(Buffer.from(stored, 'base64').toString('utf8'), ACCESS) : {}
}

function rulesOf(source: string, rules: unknown): AccessRule[] {
  return Object.entries(isRecord(rules) ? rules : {}).flatMap(([path, rule]) =>
    isRecord(rule) ? [accessRuleOf(source, path, rule)] : [],
  )
}

/** The tables of FileBrowser Quantum 2 that are read. */
export const QUANTUM_TABLES = ['schema_version', 'users', 'shares', 'access_rules', 'groups', 'quotas'] as const
/** The newest schema that is supported. */
const NEWEST_VERSION = 2

type Tables = ReadonlyMap<string, readonly SqliteRow[]>

/**
 * The database of FileBrowser Quantum 2, an SQLite file.
 *
 * @throws INVALID_INPUT if it is of another program or of a newer release, or damaged
 */
export function quantumFromTables(tables: Tables): QuantumDatabase {
  const rows = (table: (typeof QUANTUM_TABLES)[number]) => tables.get(table) ?? []
  if (!tables.has('schema_version') || !tables.has('users') || !tables.has('shares')) {
    fail('INVALID_INPUT', 'this is an SQLite database of another program, not of FileBrowser Quantum')
  }
  const version = Math.max(0, ...rows('schema_version').map((row) => Number(row['version'])))
  if (version > NEWEST_VERSION) {
    fail(
      'INVALID_INPUT',
      `a newer FileBrowser Quantum wrote this database (schema ${version}); this filemgr reads schemas up to ${NEWEST_VERSION}`,
    )
  }
  return {
    users: rows('users').map((row) => userOf(flatUser(row))),
    shares: rows('shares').map((row) => shareOf(flatShare(row))),
    rules: rows('access_rules').map((row) =>
      accessRuleOf(textOf(row, 'source'), textOf(row, 'path'), parse(row['rule_data'], 'access_rules')),
    ),
    groups: new Map(rows('groups').map((row) => [textOf(row, 'name'), setOf(parse(row['members'], 'groups'))])),
    quotas: rows('quotas').length,
  }
}

/** A user of release 2 in the form of release 1. Preferences are in `profile` since record version 5, before in `settings`. */
function flatUser(row: SqliteRow): OldRecord {
  const data = parse(row['user_data'], 'users')
  const settings = recordOf(data, 'settings')
  const profile = recordOf(data, 'profile')
  const files = recordOf(data, 'filePermissions')
  const { lockPassword, disableSettings } = { ...settings, ...recordOf(profile, 'account') } as OldRecord
  return {
    ...settings,
    ...recordOf(profile, 'ui'),
    ...recordOf(profile, 'listing'),
    ...data,
    lockPassword,
    disableSettings,
    id: row['user_id'],
    username: row['username'],
    permissions: {
      ...files,
      admin: row['perm_admin'] === 1,
      share: data['share'] === true || files['share'] === true,
    },
  }
}

function flatShare(row: SqliteRow): OldRecord {
  return { ...parse(row['share_settings'], 'shares'), ...row, userID: row['user_id'] }
}

function parse(json: unknown, table: string): OldRecord {
  try {
    const text = json instanceof Uint8Array ? Buffer.from(json).toString('utf8') : String(json)
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // The parser's message is left out: it quotes the record, which contains password hashes.
  }
  return fail('INVALID_INPUT', `the database is damaged: a record in ${table} is not a JSON record`)
}
