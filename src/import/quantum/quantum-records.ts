import { isRecord } from '../../domain/schema/schema-tools.ts'
import { booleanOf, integerOf, listOf, type OldRecord, recordOf, textOf } from '../filebrowser/old-record.ts'
import type { AccessRule, FileRights, Grant, Names, QuantumShare, QuantumUser } from './quantum-database.ts'

/** Since this version of the record, each source has rights of its own. */
const RIGHTS_PER_SOURCE = 4

/** A user as release 1 stores it. @throws INVALID_INPUT for a field of another type */
export function userOf(record: OldRecord): QuantumUser {
  const permissions = permissionsOf(record)
  const tokens = [recordOf(record, 'tokens'), recordOf(record, 'apiKeys')].flatMap((keys) => Object.keys(keys)).length
  const passkeys = listOf(record, 'passkeyCredentials').length
  const extras = [
    tokens > 0 && `${tokens} API ${tokens === 1 ? 'token' : 'tokens'}`,
    passkeys > 0 && 'passkeys',
    Object.keys(recordOf(record, 'pinnedItems')).length > 0 && 'pinned items',
    booleanOf(record, 'disableSettings') && 'the hidden settings page',
    textOf(record, 'hideFileExt') !== '' && 'hidden file types',
  ]
  return {
    id: idOf(record['id']),
    username: textOf(record, 'username'),
    passwordHash: textOf(record, 'password'),
    loginMethod: textOf(record, 'loginMethod'),
    lockPassword: booleanOf(record, 'lockPassword'),
    admin: booleanOf(permissions, 'admin'),
    share: booleanOf(permissions, 'share'),
    grants: grantsOf(record, permissions),
    preferences: record,
    extras: extras.filter((extra) => extra !== false),
    hasSecondFactor: booleanOf(record, 'otpEnabled') || textOf(record, 'totpSecret') !== '' || passkeys > 0,
  }
}

/** A share as release 1 stores it. @throws INVALID_INPUT for a field of another type */
export function shareOf(record: OldRecord): QuantumShare {
  return {
    hash: textOf(record, 'hash'),
    owner: idOf(record['userID']),
    source: textOf(record, 'source'),
    path: textOf(record, 'path'),
    expire: integerOf(record, 'expire'),
    passwordHash: textOf(record, 'password_hash'),
    settings: record,
  }
}

export function accessRuleOf(source: string, path: string, record: OldRecord): AccessRule {
  return {
    source,
    path,
    denyAll: booleanOf(record, 'denyAll'),
    deny: namesOf(recordOf(record, 'Deny')),
    allow: namesOf(recordOf(record, 'Allow')),
  }
}

function namesOf(record: OldRecord): Names {
  return { users: setOf(record['Users']), groups: setOf(record['Groups']) }
}

/** A set of names, stored as the keys of a record. */
export function setOf(value: unknown): Set<string> {
  return new Set(isRecord(value) ? Object.keys(value) : [])
}

/** A text, since new ids exceed 2^53. */
function idOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : ''
}

/**
 * Before its first start with release 1, an account had its permissions under `perm`, `modify` meant any change, and everyone
 * could download.
 */
function permissionsOf(record: OldRecord): OldRecord {
  const permissions = recordOf(record, 'permissions')
  if (integerOf(record, 'version') >= 1) return permissions
  const former = Object.entries(recordOf(record, 'perm')).filter(([, value]) => value === true)
  const given: OldRecord = { ...permissions, ...Object.fromEntries(former) }
  const modify = booleanOf(given, 'modify')
  return { create: modify, delete: modify, ...given, download: true }
}

function grantsOf(record: OldRecord, permissions: OldRecord): Grant[] {
  const scopes = listOf(record, 'backendScopes')
  const bySource = recordOf(record, 'backendSourcePermissions')
  const hasOwnRights = integerOf(record, 'version') >= RIGHTS_PER_SOURCE
  return (scopes.length > 0 ? scopes : listOf(record, 'scopes')).filter(isRecord).map((scope) => {
    const source = textOf(scope, 'path') || textOf(scope, 'name')
    const own = recordOf(scope, 'permissions')
    const given = Object.values(own).includes(true) ? own : bySource[source]
    const otherwise = hasOwnRights ? { view: false } : permissions
    return { source, scope: textOf(scope, 'scope'), rights: rightsOf(isRecord(given) ? given : otherwise) }
  })
}

/** Releases without a right to view let everyone view. */
export function rightsOf(record: OldRecord): FileRights {
  return {
    view: !('view' in record) || booleanOf(record, 'view'),
    download: booleanOf(record, 'download'),
    modify: booleanOf(record, 'modify'),
    create: booleanOf(record, 'create'),
    delete: booleanOf(record, 'delete'),
  }
}
