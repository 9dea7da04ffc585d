import type { DirectoryStep, DirectoryStepName } from '../../../domain/accounts/provider-view.ts'
import type { Claims } from '../../../domain/accounts/provider-mapping.ts'
import type { LdapProvider } from '../../../domain/accounts/provider.ts'
import { fail } from '../../../domain/errors.ts'
import { counted } from '../../../domain/text/units.ts'
import { connectLdap, type LdapConnection } from '../../../platform/network/ldap/ldap-client.ts'
import { ldapIdText, ldapIdValue, ldapWith } from '../../../platform/network/ldap/ldap-text.ts'
import { type LdapEntry, ldapValues } from '../../../platform/network/ldap/ldap-wire.ts'
import type { Person } from '../providers/provider-sign-in.ts'

/** The claim with the groups of a person: their whole names, and the short names of those that the filter found. */
const GROUPS = 'groups'
const MAX_GROUPS = 1000
/** Those that say what people call themselves, best first. */
const LABELS = ['displayName', 'cn', 'mail']
const ATTRIBUTE = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
/** The attack is an administrator who lets the dry run print what the account that searches may read. */
const SECRETS = /password|pwd|^krb|^samba.*hash|laps|^unixuserpassword$/i

export interface DirectoryQuestion {
  readonly provider: LdapProvider
  /** Of the account that searches. */
  readonly readerPassword: string
  /** Undefined to try only whether the directory can be searched. */
  readonly username: string | undefined
  /** Undefined to look the person up only. */
  readonly password: string | undefined
  /** Limits the attempts for one person, however the name was written. Resolves as `check`. */
  readonly limited: (person: string, check: () => Promise<true | undefined>) => Promise<true | undefined>
  readonly steps: Steps
}

/** What each step came to. The last one began, and has not ended, if something is wrong with the directory. */
export class Steps {
  readonly done: DirectoryStep[] = []
  #current: DirectoryStepName = 'connect'

  begin(step: DirectoryStepName): void {
    this.#current = step
  }

  end(passed: boolean, text: string): void {
    this.done.push({ step: this.#current, passed, text })
  }
}

/**
 * Asks the directory who this is: the one entry that the filter finds, if it accepts the password. Undefined if it does not, or
 * if not exactly one entry is found.
 *
 * @throws UNAVAILABLE saying what is wrong with the directory
 */
export async function askDirectory(question: DirectoryQuestion): Promise<Person | undefined> {
  const { provider, steps } = question
  steps.begin('connect')
  const { url, startTls, caFile, timeout } = provider
  using connection = await connectLdap({ url, startTls, caFile, timeout: timeout * 1000 })
  steps.end(true, url)
  steps.begin('encrypt')
  steps.end(true, (await connection.secure()) ?? 'not encrypted: everybody on the way can read all passwords')
  if (!(await bindFirst(connection, question))) return undefined
  if (question.username === undefined) return undefined
  const entry = await findEntry(connection, question, question.username)
  if (entry === undefined || !(await provePassword(connection, question, entry))) return undefined
  const username = textsOf(entry, provider.usernameClaim)[0]
  const subject = subjectOf(entry, provider)
  const groups = await groupsOf(connection, question, entry, username)
  const claims = { ...attributesOf(entry, provider), [provider.subjectAttribute]: [subject], [GROUPS]: groups }
  const label = LABELS.map((name) => textsOf(entry, name)[0]).find((text) => text !== undefined)
  return { provider, subject, username, label: label ?? username ?? entry.dn, claims }
}

/** Whether people bind themselves, rather than an account that searches. */
export function isDirect({ bindDn }: Pick<LdapProvider, 'bindDn'>): boolean {
  return bindDn.includes('{name}')
}

/** Those of these people whom the directory still has, as its filter says. It needs an account that searches. */
export async function stillThere(
  provider: LdapProvider,
  readerPassword: string,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { url, startTls, caFile, timeout, baseDn, userFilter, subjectAttribute } = provider
  using connection = await connectLdap({ url, startTls, caFile, timeout: timeout * 1000 })
  await connection.secure()
  await bindReader(connection, { provider, readerPassword })
  const found = new Set<string>()
  for (const subject of subjects) {
    const having = { attribute: subjectAttribute, value: ldapIdValue(subjectAttribute, subject) }
    const filter = userFilter.replaceAll('{name}', '*')
    const { entries } = await connection.search({
      base: baseDn,
      filter,
      having,
      attributes: [subjectAttribute],
      limit: 1,
    })
    if (entries.length > 0) found.add(subject)
  }
  return found
}

async function bindReader(
  connection: LdapConnection,
  { provider, readerPassword }: Pick<DirectoryQuestion, 'provider' | 'readerPassword'>,
): Promise<void> {
  const { isAccepted, said } = await connection.bind(provider.bindDn, readerPassword)
  if (!isAccepted) fail('UNAVAILABLE', `the directory refuses the account that searches: ${said}`)
}

/** Binds whoever searches. @returns false if that is the person, and the password is wrong */
async function bindFirst(connection: LdapConnection, question: DirectoryQuestion): Promise<boolean> {
  const { provider, username, password, limited, steps } = question
  steps.begin('bind')
  if (!isDirect(provider)) {
    await bindReader(connection, question)
    steps.end(true, provider.bindDn)
    return true
  }
  if (username === undefined || password === undefined) {
    steps.end(username === undefined, 'not tried, because people bind themselves here')
    return false
  }
  const dn = ldapWith(provider.bindDn, { name: username })
  const isAccepted = await limited(dn, async () => {
    const answer = await connection.bind(dn, password)
    if (!answer.isAccepted) steps.end(false, `${dn}: ${answer.said}`)
    return answer.isAccepted || undefined
  })
  if (isAccepted === true) steps.end(true, dn)
  return isAccepted === true
}

async function findEntry(
  connection: LdapConnection,
  { provider, steps }: DirectoryQuestion,
  username: string,
): Promise<LdapEntry | undefined> {
  steps.begin('find')
  const filter = ldapWith(provider.userFilter, { name: username })
  const search = { base: provider.baseDn, filter, attributes: wantedAttributes(provider), limit: 2 }
  const { entries, isCut, references } = await connection.search(search)
  const [entry] = entries
  if (entry === undefined || entries.length > 1 || isCut) {
    const elsewhere = references > 0 ? `; ${counted(references, 'reference')} to other servers not followed` : ''
    steps.end(false, `${entries.length === 0 ? 'nobody' : 'more than one entry'} matches ${filter}${elsewhere}`)
    return undefined
  }
  steps.end(true, entry.dn)
  return entry
}

/** Also if the person has bound already: what was bound then may be another entry than the one that was found. */
async function provePassword(
  connection: LdapConnection,
  { provider, password, limited, steps }: DirectoryQuestion,
  entry: LdapEntry,
): Promise<boolean> {
  steps.begin('password')
  if (password === undefined) {
    steps.end(true, 'not tried, because no password was given')
    return true
  }
  const isProven = await limited(subjectOf(entry, provider), async () => {
    const { isAccepted, said } = await connection.bind(entry.dn, password)
    if (!isAccepted) steps.end(false, said)
    return isAccepted || undefined
  })
  if (isProven === true) steps.end(true, 'accepted')
  return isProven === true
}

async function groupsOf(
  connection: LdapConnection,
  question: DirectoryQuestion,
  entry: LdapEntry,
  username = '',
): Promise<readonly string[]> {
  const { provider, password, steps } = question
  steps.begin('groups')
  if (provider.groupFilter === '') {
    const groups = textsOf(entry, 'memberOf')
    steps.end(true, listOf(groups))
    return groups
  }
  // Bound as the person since the password was proven.
  if (!isDirect(provider) && password !== undefined) await bindReader(connection, question)
  const filter = ldapWith(provider.groupFilter, { dn: entry.dn, name: username })
  const base = provider.groupBaseDn === '' ? provider.baseDn : provider.groupBaseDn
  const { entries, isCut } = await connection.search({ base, filter, attributes: ['cn'], limit: MAX_GROUPS })
  // Groups that are missing would take permissions away.
  if (isCut) fail('UNAVAILABLE', `the directory does not name all groups that match ${filter}`)
  const names = entries.flatMap((group) => textsOf(group, 'cn').slice(0, 1))
  steps.end(true, listOf(names))
  return [...new Set([...entries.map(({ dn }) => dn), ...names])]
}

function listOf(groups: readonly string[]): string {
  return groups.length === 0 ? 'none' : groups.join(', ')
}

function wantedAttributes(provider: LdapProvider): string[] {
  const mapped = provider.mapping.map(({ claim }) => claim).filter((claim) => claim !== GROUPS)
  const { subjectAttribute, usernameClaim } = provider
  const names = [subjectAttribute, usernameClaim, ...LABELS, 'memberOf', ...mapped]
  return [...new Set(names.filter(isReadable))]
}

/** Whether this is an attribute that may be read. */
export function isReadable(name: string): boolean {
  return ATTRIBUTE.test(name) && !SECRETS.test(name)
}

function attributesOf(entry: LdapEntry, provider: LdapProvider): Claims {
  return Object.fromEntries(wantedAttributes(provider).map((name) => [name, textsOf(entry, name)]))
}

/** Without values that are no text. */
function textsOf(entry: LdapEntry, attribute: string): string[] {
  const values = ldapValues(entry, attribute)
  return values
    .filter((value) => Buffer.from(value.toString('utf8')).equals(value))
    .map((value) => value.toString('utf8'))
}

function subjectOf(entry: LdapEntry, { subjectAttribute }: LdapProvider): string {
  const [value, ...others] = ldapValues(entry, subjectAttribute)
  if (value === undefined || value.length === 0 || others.length > 0) {
    return fail('UNAVAILABLE', `${entry.dn} has not exactly one ${subjectAttribute}, by which people are known again`)
  }
  return ldapIdText(subjectAttribute, value)
}
