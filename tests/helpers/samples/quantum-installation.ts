import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSqlite } from '../../../src/platform/sqlite.ts'
import { boltFile, idKey } from './bolt-file.ts'
import { oldFacts, oldFile } from './old-installation.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is in a database of FileBrowser Quantum, in the form of release 1. */
export interface QuantumSample {
  readonly users: readonly Fields[]
  readonly shares: readonly Fields[]
  /** By source and path. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, Fields>>>>
  readonly groups: Readonly<Record<string, Fields>>
}

const OLD_USERS = JSON.parse(readFileSync(oldFile('users.json'), 'utf8')) as { username: string; password: string }[]

/** The password of every account in the sample. */
export const QUANTUM_PASSWORD = oldFacts().passwords['alice'] ?? ''
export const QUANTUM_HASH = OLD_USERS.find(({ username }) => username === 'alice')?.password ?? ''

const FILES = { modify: true, create: true, delete: true, download: true }

/** A user with the fields that every record has. */
export function quantumUser(id: number, username: string, fields: Fields = {}): Fields {
  return {
    id,
    username,
    password: QUANTUM_HASH,
    loginMethod: 'password',
    scopes: [],
    lockPassword: false,
    permissions: { api: false, admin: false, share: false, realtime: false, ...FILES },
    locale: 'en',
    viewMode: 'normal',
    singleClick: false,
    dateFormat: false,
    showHidden: false,
    sorting: { by: 'name', asc: true },
    otpEnabled: false,
    version: 3,
    ...fields,
  }
}

/**
 * Two sources below a folder, four users, a link and access rules.
 *
 * @param root the folder of the sources `docs` and `media`
 */
export function quantumSample(root: string): QuantumSample {
  const docs = join(root, 'docs')
  const media = join(root, 'media')
  const both = [
    { name: docs, scope: '/' },
    { name: media, scope: '/' },
  ]
  return {
    users: [
      quantumUser(1, 'admin', {
        scopes: both,
        permissions: { api: true, admin: true, share: true, realtime: false, ...FILES },
        tokens: { script: { name: 'script', token: 'x' } },
      }),
      quantumUser(2, 'graham', {
        scopes: [{ name: docs, scope: '/team' }],
        locale: 'ptBR',
        viewMode: 'gallery',
        sorting: { by: 'size', asc: true },
        showHidden: true,
        permissions: { api: false, admin: false, share: true, realtime: false, ...FILES, delete: false },
      }),
      quantumUser(3, 'olga', { scopes: both, loginMethod: 'oidc' }),
      quantumUser(4, 'tina', { scopes: [{ name: media, scope: '/' }], otpEnabled: true, totpSecret: 'x' }),
    ],
    shares: [
      { hash: 'lMhwHkF-hqCN92-QIJJZow', userID: 2, source: docs, path: '/team/report.txt/', expire: 0 },
      { hash: 'secretsecretsecretsec1', userID: 1, source: media, path: '/', expire: 0, password_hash: QUANTUM_HASH },
    ],
    rules: {
      [docs]: { '/private/': { denyAll: true, Deny: {}, Allow: { Users: { olga: {} }, Groups: null } } },
      [media]: { '/films/': { Deny: { Users: null, Groups: { staff: {} } }, Allow: {} } },
    },
    groups: { staff: { tina: {} } },
  }
}

/** The configuration file of the sample. */
export function quantumConfig(root: string, more = ''): string {
  const sources = ['docs', 'media'].map((name) => `    - path: ${join(root, name)}\n      name: ${name}\n`)
  return `server:\n  port: 8090\n  sources:\n${sources.join('')}frontend:\n  name: Our Files\n${more}`
}

/** The database as release 1 writes it. */
export function quantumBolt({ users, shares, rules, groups }: QuantumSample): Buffer {
  const json = (value: unknown) => JSON.stringify(value)
  const access = Buffer.from(json({ all_rules: rules, groups })).toString('base64')
  const buckets = { __storm_metadata: { values: { codec: 'json' } } }
  return boltFile({
    buckets: {
      config: { values: { settings: json({ frontend: {} }), version: '2' }, buckets },
      access_rules: { values: { rules: json(access) } },
      User: { values: Object.fromEntries(users.map((user) => [idKey(Number(user['id'])), json(user)])), buckets },
      Link: { values: Object.fromEntries(shares.map((share) => [json(share['hash']), json(share)])), buckets },
    },
  })
}

/** A 64-bit id, as release 2 gives to new users. */
const LARGE_ID = '17293822569102704640'

/**
 * Writes the database as release 2 does after the migration of a database of release 1. It stays open, in WAL mode.
 *
 * @param schema the version of the schema
 */
export function quantumSqlite(path: string, { users, shares, rules, groups }: QuantumSample, schema = 2): Disposable {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path)
  const insert = (table: string, row: Fields) => {
    const values = Object.values(row).map((value) =>
      typeof value === 'object' ? Buffer.from(JSON.stringify(value)) : value,
    )
    const marks = values.map(() => '?').join(', ')
    database
      .prepare(`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks})`)
      .run(...(values as string[]))
  }
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE schema_version (version INTEGER PRIMARY KEY, updated_at INTEGER NOT NULL);
    CREATE TABLE users (user_id TEXT PRIMARY KEY NOT NULL, username TEXT NOT NULL UNIQUE, perm_api INTEGER NOT NULL,
      perm_admin INTEGER NOT NULL, perm_realtime INTEGER NOT NULL, user_data TEXT NOT NULL);
    CREATE TABLE shares (hash TEXT PRIMARY KEY, user_id TEXT NOT NULL, source TEXT NOT NULL, path TEXT NOT NULL,
      expire INTEGER NOT NULL, downloads INTEGER NOT NULL, password_hash TEXT, share_settings TEXT NOT NULL);
    CREATE TABLE access_rules (id INTEGER PRIMARY KEY, source TEXT NOT NULL, path TEXT NOT NULL, rule_data TEXT NOT NULL);
    CREATE TABLE groups (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, members TEXT NOT NULL);`)
  insert('schema_version', { version: schema, updated_at: 0 })
  for (const user of users) insert('users', userRow(user))
  for (const { hash, userID, source, path: place, expire, password_hash = null, ...settings } of shares) {
    const owner = {
      user_id: rowId(userID),
      source,
      path: place,
      expire,
      downloads: 0,
      password_hash: password_hash ?? '',
    }
    insert('shares', { hash, ...owner, share_settings: settings })
  }
  for (const [source, byPath] of Object.entries(rules)) {
    for (const [place, rule] of Object.entries(byPath)) insert('access_rules', { source, path: place, rule_data: rule })
  }
  for (const [name, members] of Object.entries(groups)) insert('groups', { name, members })
  return { [Symbol.dispose]: () => database.close() }
}

/** The last user of the sample is as if release 2 had made it. */
function rowId(id: unknown): string {
  return id === 4 ? LARGE_ID : String(id)
}

function userRow(user: Fields): Fields {
  const { id, username, permissions, scopes, locale, viewMode, singleClick, dateFormat, showHidden, sorting, ...data } =
    user
  const { admin, share, ...files } = permissions as Readonly<Record<string, boolean>>
  const rights = { view: true, ...files }
  return {
    user_id: rowId(id),
    username,
    perm_api: 0,
    perm_admin: admin === true ? 1 : 0,
    perm_realtime: 0,
    user_data: {
      ...data,
      version: 5,
      share,
      backendScopes: (scopes as { name: string; scope: string }[]).map(({ name, scope }) => ({
        path: name,
        scope,
        permissions: rights,
      })),
      profile: { ui: { locale }, listing: { viewMode, singleClick, dateFormat, showHidden }, account: {} },
      settings: { sorting },
    },
  }
}
