import { fail } from '../../domain/errors.ts'
import { readBolt } from '../boltdb/read-boltdb.ts'
import { type OldInstallation, oldRecord } from './old-record.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import { stormRecords } from './storm.ts'

/**
 * Reads a database of File Browser 2.
 *
 * @throws INVALID_INPUT if it is damaged, or was written by another program or by File Browser 1
 */
export function fromDatabase(bytes: Uint8Array): OldInstallation {
  const database = readBolt(bytes)
  const all = (name: string) =>
    new Map([...stormRecords(database, name)].map(([key, value]) => [key, oldRecord(value, `a record in ${name}`)]))
  const records = all('config')
  const settings = records.get('settings')
  if (settings === undefined) {
    const advice = 'open a database of File Browser 1 with release 2 first, which converts it'
    fail('INVALID_INPUT', `the database has no settings of File Browser 2; ${advice}`)
  }
  return {
    settings,
    server: records.get('server'),
    auther: records.get('auther'),
    users: [...all('User').values()],
    links: [...all('Link').values()],
  }
}

/**
 * Reads a file written by `config export` (an object) or `users export` (a list).
 *
 * @throws INVALID_INPUT if it is neither
 */
export function fromExport(value: unknown): OldInstallation {
  if (Array.isArray(value) && value.length > 0) {
    return { users: value.map((user: unknown, index) => exportedUser(user, index)), links: [] }
  }
  const record = isRecord(value) ? oldRecord(value, 'the file') : {}
  const { settings, server, auther } = record
  if (!isRecord(settings) || !isRecord(server)) {
    fail(
      'INVALID_INPUT',
      'this is neither a database of File Browser nor a file written by its "config export" or "users export"',
    )
  }
  return { settings, server, auther: isRecord(auther) ? auther : undefined, users: [], links: [] }
}

function exportedUser(value: unknown, index: number) {
  const user = oldRecord(value, `entry ${index + 1} of the list`)
  if ('username' in user) return user
  return fail('INVALID_INPUT', `entry ${index + 1} of the list is not a user: it has no username`)
}

/** Combines several files of one installation. @throws INVALID_INPUT if two of them contain settings, or users */
export function combined(parts: readonly OldInstallation[]): OldInstallation {
  const [settings, another] = parts.filter((part) => part.settings !== undefined)
  if (another !== undefined) fail('INVALID_INPUT', 'two of the files contain settings; name files of one installation')
  const lists = parts.filter((part) => part.users.length > 0)
  if (lists.length > 1) fail('INVALID_INPUT', 'two of the files contain users; name files of one installation')
  return {
    settings: settings?.settings,
    server: settings?.server,
    auther: settings?.auther,
    users: lists[0]?.users ?? [],
    links: parts.flatMap(({ links }) => links),
  }
}
