import { fail } from '../../domain/errors.ts'
import { isRecord } from '../../domain/schema-tools.ts'
import { oldRecord, type OldInstallation } from './old-record.ts'

/**
 * What a file of `config export` or `users export` says; which of the two it is shows in its shape.
 *
 * @throws INVALID_INPUT when it is neither
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
      'this is neither a database of File Browser nor what its "config export" or "users export" wrote',
    )
  }
  return { settings, server, auther: isRecord(auther) ? auther : undefined, users: [], links: [] }
}

function exportedUser(value: unknown, index: number) {
  const user = oldRecord(value, `entry ${index + 1} of the list`)
  if ('username' in user) return user
  return fail('INVALID_INPUT', `entry ${index + 1} of the list is no user: it has no username`)
}

/** Several files of one installation as one. @throws INVALID_INPUT when two of them say the same */
export function combined(parts: readonly OldInstallation[]): OldInstallation {
  const [settings, another] = parts.filter((part) => part.settings !== undefined)
  if (another !== undefined) fail('INVALID_INPUT', 'two of the files hold settings; name the files of one installation')
  const lists = parts.filter((part) => part.users.length > 0)
  if (lists.length > 1) fail('INVALID_INPUT', 'two of the files hold users; name the files of one installation')
  return {
    settings: settings?.settings,
    server: settings?.server,
    auther: settings?.auther,
    users: lists[0]?.users ?? [],
    links: parts.flatMap(({ links }) => links),
  }
}
