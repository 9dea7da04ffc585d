import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilePattern } from '../../../src/platform/validation/pattern.ts'
import { fromDatabase } from '../../../src/import/filebrowser/read-installation.ts'
import type { ImportInput } from '../../../src/import/filebrowser/plan-import.ts'
import { boltFile, idKey } from './bolt-file.ts'

/** An installation of File Browser on disk. */
export const OLD_INSTALLATION = join(import.meta.dirname, '../../fixtures/filebrowser-2.63')

export const oldFile = (name: string) => join(OLD_INSTALLATION, name)

/** The content of `facts.json`. */
export interface OldFacts {
  readonly passwords: Readonly<Record<string, string>>
  readonly shares: readonly { hash: string; path: string; password: string | null; token: string | null }[]
}

export function oldFacts(): OldFacts {
  return JSON.parse(readFileSync(oldFile('facts.json'), 'utf8')) as OldFacts
}

export type OldUser = Readonly<Record<string, unknown>> & { readonly id: number; readonly username: string }

const EXPORT = JSON.parse(readFileSync(oldFile('config.json'), 'utf8')) as Record<string, Record<string, unknown>>
const USERS = JSON.parse(readFileSync(oldFile('users.json'), 'utf8')) as OldUser[]

export interface OldDatabase {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly server?: Readonly<Record<string, unknown>>
  readonly auther?: Readonly<Record<string, unknown>>
  /** Users instead of those of the fixture; missing fields are those of its first user. */
  readonly users?: readonly OldUser[]
  readonly links?: readonly Readonly<Record<string, unknown>>[]
}

/** A database like that of the fixture, with these changes. */
function oldDatabase({ settings, server, auther, users, links = [] }: OldDatabase = {}): Buffer {
  const metadata = { __storm_metadata: { values: { codec: 'json' } } }
  const all = users?.map((user) => ({ ...USERS[0], ...user })) ?? USERS
  const json = (record: object) => JSON.stringify(record)
  return boltFile({
    buckets: {
      __storm_db: { values: { version: '"2.0.0"' } },
      config: {
        values: {
          settings: json({ ...EXPORT['settings'], ...settings }),
          server: json({ ...EXPORT['server'], ...server }),
          auther: json({ ...EXPORT['auther'], ...auther }),
          version: '2',
        },
        buckets: metadata,
      },
      User: { values: Object.fromEntries(all.map((user) => [idKey(user.id), json(user)])), buckets: metadata },
      Link: { values: Object.fromEntries(links.map((link) => [String(link['hash']), json(link)])), buckets: metadata },
    },
  })
}

/** The input of a plan, with a disk that has everything in place. */
export function importInput(old: OldDatabase = {}, more: Partial<ImportInput> = {}): ImportInput {
  return {
    old: fromDatabase(oldDatabase(old)),
    absolute: (path) => (path.startsWith('/') ? path : `/old/${path}`),
    findTarget: () => ({ target: { device: '1', inode: '2', birth: '3' }, isDir: true }),
    facts: { outsideLinks: [], servedFiles: [] },
    compile: compilePattern,
    now: Date.UTC(2026, 0, 1),
    ...more,
  }
}
