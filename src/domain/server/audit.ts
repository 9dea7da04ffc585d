import { Type, type Static } from 'typebox'
import { SIGN_IN_WAYS } from '../accounts/auth-method.ts'
import { FACTORS } from '../accounts/factors.ts'
import { wellFormedText } from '../files/name-text.ts'
import { printable, truncate } from '../text/printable.ts'

/** `refused` is the caller's fault, `failed` is the server's. */
const Outcome = Type.Union([Type.Literal('done'), Type.Literal('refused'), Type.Literal('failed')])

/** What a successful operation did to files. */
export const AUDIT_EFFECTS = [
  'created',
  'overwritten',
  'trashed',
  'deleted',
  'copied',
  'moved',
  'downloaded',
  'visited',
] as const
export type AuditEffect = (typeof AUDIT_EFFECTS)[number]

/** What an operation changed in accounts, settings, rules, links, hooks, webhooks or tokens. */
export const AuditChange = Type.Object({
  of: Type.Optional(Type.String({ description: 'Such as "user bob"; absent for settings and server options' })),
  name: Type.String({ description: 'Such as "perm.create"' }),
  old: Type.Optional(Type.String({ description: 'Absent if it was added; "***" for a secret' })),
  new: Type.Optional(Type.String({ description: 'Absent if it was removed' })),
})
export type AuditChange = Static<typeof AuditChange>

/** One line of the audit log: who did what to which path or account, from where. It never holds a secret. */
export const AuditEntry = Type.Object({
  time: Type.String({ description: 'ISO 8601, UTC' }),
  who: Type.String({
    description: 'User name at that time; "operator" for the command line, "visitor", or "" if unknown',
  }),
  userID: Type.Optional(Type.Integer()),
  session: Type.Optional(Type.String({ description: 'First eight characters of its id' })),
  method: Type.Optional(Type.Enum(SIGN_IN_WAYS, { description: 'How somebody signed in, by this action' })),
  provider: Type.Optional(Type.String({ description: 'Where, if "method" is "oidc" or "ldap"' })),
  factor: Type.Optional(Type.Enum(FACTORS, { description: 'What the second step of the sign-in was' })),
  token: Type.Optional(Type.String({ description: 'Name of the API token' })),
  account: Type.Optional(Type.String({ description: 'Account of the machine that ran the command' })),
  sudoUser: Type.Optional(Type.String({ description: 'Who became that account with sudo' })),
  address: Type.Optional(Type.String({ description: 'Address of the client; absent for the command line' })),
  action: Type.String({ description: 'Id of the operation, such as "files.remove"' }),
  effect: Type.Optional(Type.Enum([...AUDIT_EFFECTS], { description: 'What was done to files; only if it was done' })),
  target: Type.Optional(Type.String({ description: 'Path in the served folder, account, share or key' })),
  destination: Type.Optional(Type.String({ description: 'Path in the served folder' })),
  names: Type.Optional(
    Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
      description: 'Old and new names of a batch rename, in the folder that is the target',
    }),
  ),
  changes: Type.Optional(Type.Array(AuditChange)),
  more: Type.Optional(Type.Integer({ description: 'How many further names and changes are not listed' })),
  link: Type.Optional(Type.String({ description: 'First four characters of the public link of a visitor' })),
  outcome: Outcome,
  daemon: Type.Optional(
    Type.String({
      description: 'Host and port of the daemon, or host of the command; only if several share a database',
    }),
  ),
})
export type AuditEntry = Static<typeof AuditEntry>
/** What an entry says besides when it was written, and by which daemon. */
export type AuditFacts = Omit<AuditEntry, 'time' | 'daemon'>

/** For what notes in the activity log. */
export interface ActivityLog {
  record(facts: AuditFacts): void
}

export const AuditQuery = Type.Object({
  user: Type.Optional(
    Type.String({ maxLength: 256, description: 'Only what this user did, and attempts to sign in under this name' }),
  ),
  action: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only this operation, or all with this prefix, such as "users."' }),
  ),
  outcome: Type.Optional(Outcome),
  target: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'Only entries whose target or destination contains this text, ignoring case and accents',
    }),
  ),
  before: Type.Optional(
    Type.String({ maxLength: 32, description: 'Older than this time: `next` of the previous page' }),
  ),
  after: Type.Optional(Type.String({ maxLength: 32, description: 'At this time or later' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
})
export type AuditQuery = Static<typeof AuditQuery>

const { limit: _limit, ...filter } = AuditQuery.properties

/** An export has all entries that match. */
export const AuditExportQuery = Type.Object({
  ...filter,
  format: Type.Optional(
    Type.Enum(['csv', 'jsonl'], { default: 'csv', description: 'A table, or one JSON object per line' }),
  ),
})
export type AuditExportQuery = Static<typeof AuditExportQuery>

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry, { description: 'Newest first' }),
  next: Type.Union([Type.String(), Type.Null()], { description: 'Start of the next page; null at the end' }),
})
export type AuditPage = Static<typeof AuditPage>

const MAX_LENGTH = 1024

/** Characters that are logged of an attempted user name: users who mix up the fields type their password there. */
export const MAX_NAME_LENGTH = 64

/** The hash of a share is a secret: it opens the link. */
export function cutHash(text = ''): string {
  return text.replace(/^([^/]{4})[^/]*/, '$1…')
}

/**
 * Untrusted text as the log stores it: shortened, and without control characters. The attack: a name that is not UTF-8, whose line
 * the program that collects the log refuses.
 */
export function auditText(text: string, maxLength = MAX_LENGTH): string {
  const short = text.length > maxLength ? `${truncate(text, maxLength)}…` : text
  return printable(wellFormedText(short))
}
