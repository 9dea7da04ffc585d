import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { fail } from '../../../domain/errors.ts'
import { printable } from '../../../domain/text/printable.ts'
import { LDAP_REPLIES, type LdapEntry, type LdapResult, readEntry, readResult } from './ldap-wire.ts'
import { createLdapReplies } from './ldap-replies.ts'

export interface LdapServer {
  /** Begins with ldap:// or ldaps://. */
  readonly url: string
  /** Whether an ldap:// connection is encrypted before anything else is sent. */
  readonly startTls: boolean
  /** A file with the certificates (PEM) that sign that of the server; empty for those that Node.js trusts. */
  readonly caFile: string
  /** Milliseconds for everything, from the first packet to the last. */
  readonly timeout: number
}

export interface LdapSearch {
  readonly base: string
  readonly filter: string
  /** Only entries whose attribute has this value, too. */
  readonly having?: { readonly attribute: string; readonly value: Buffer }
  readonly attributes: readonly string[]
  readonly limit: number
}

export interface LdapFound {
  readonly entries: readonly LdapEntry[]
  /** There are more entries than the limit. */
  readonly isCut: boolean
  /** How often the directory says to search elsewhere, which is not done: it could lead to any server. */
  readonly references: number
}

const START_TLS = '1.3.6.1.4.1.1466.20037'
const RESULTS = { success: 0, sizeLimit: 4, referral: 10 } as const
/** Results of a bind that are about the person: no such entry, wrong password, locked, expired, disabled. */
const REFUSALS: ReadonlySet<number> = new Set([19, 32, 34, 48, 49, 50, 53])
const PORTS: Readonly<Record<string, number>> = { 'ldap:': 389, 'ldaps:': 636 }

/**
 * A connection to a directory. All requests together have the time of the server, and each needs the answer of the one before.
 *
 * ldapts writes the requests. Its own client is not used, because it connects again by itself, without TLS and without having
 * signed in; keeps what arrived before TLS, where an attacker could have put the answer to a password; and reads some malformed
 * answers forever.
 *
 * @throws UNAVAILABLE saying what is wrong with the directory, as all functions of the connection
 */
export async function connectLdap({ url, startTls, caFile, timeout }: LdapServer) {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isLdaps = protocol === 'ldaps:'
  const [{ connect }, ldap] = await Promise.all([import('node:net'), import('ldapts')])
  const replies = createLdapReplies(connect({ host, port: Number(port) || (PORTS[protocol] ?? 0) }), timeout)
  let messageId = 0
  let isSecure = false

  const ask = (request: (messageId: number) => { write(): Buffer }): void => {
    messageId += 1
    replies.send(request(messageId).write())
  }

  const result = async (tag: number): Promise<LdapResult> => {
    const reply = await replies.next(messageId)
    return reply.tag === tag ? readResult(reply) : fail('UNAVAILABLE', 'the directory answered another question')
  }

  const upgrade = async (): Promise<void> => {
    ask((id) => new ldap.ExtendedRequest({ messageId: id, oid: START_TLS }))
    const answer = await result(LDAP_REPLIES.extended)
    if (answer.code !== RESULTS.success) fail('UNAVAILABLE', `the directory refuses StartTLS: ${explained(answer)}`)
    // The attack: an answer in clear text that would be taken for one that came by TLS.
    if (!replies.isEmpty()) fail('UNAVAILABLE', 'the directory sent something between StartTLS and TLS')
  }

  try {
    await replies.connected()
  } catch (error) {
    replies[Symbol.dispose]()
    throw error
  }

  return {
    /**
     * Encrypts the connection, unless it is meant to be in clear text.
     *
     * @returns the protocol, such as "TLSv1.3"; undefined for clear text
     */
    async secure(): Promise<string | undefined> {
      if (!isLdaps && !startTls) return undefined
      if (!isLdaps) await upgrade()
      const secured = await replies.secured({
        host,
        ...(isIP(host) === 0 && { servername: host }),
        ...(caFile !== '' && { ca: await readCa(caFile) }),
        minVersion: 'TLSv1.2',
        // Said here, so that no variable of the environment turns it off.
        rejectUnauthorized: true,
      })
      isSecure = true
      return secured.getProtocol() ?? 'TLS'
    },

    /** Whether the directory accepts this password for this entry, and what it says about it. */
    async bind(dn: string, password: string): Promise<{ readonly isAccepted: boolean; readonly said: string }> {
      // The attack: without a name or a password a directory signs nobody in, and calls that a success (RFC 4513, 5.1.2).
      if (dn === '' || password === '') return { isAccepted: false, said: 'no name or no password' }
      if ((isLdaps || startTls) && !isSecure) fail('INTERNAL', 'passwords are sent by TLS only')
      ask((id) => new ldap.BindRequest({ messageId: id, dn, password }))
      const answer = await result(LDAP_REPLIES.bind)
      const isAccepted = answer.code === RESULTS.success
      if (!isAccepted && !REFUSALS.has(answer.code)) {
        fail('UNAVAILABLE', `the directory cannot judge the password: ${explained(answer)}`)
      }
      return { isAccepted, said: explained(answer) }
    },

    async search({ base, filter, having, attributes, limit }: LdapSearch): Promise<LdapFound> {
      const parsed = ldap.FilterParser.parseString(filter)
      const request = {
        baseDN: base,
        filter: having ? new ldap.AndFilter({ filters: [parsed, new ldap.EqualityFilter(having)] }) : parsed,
        attributes: [...attributes],
        sizeLimit: limit,
        timeLimit: Math.ceil(timeout / 1000),
      }
      ask((id) => new ldap.SearchRequest({ messageId: id, ...request }))
      const entries: LdapEntry[] = []
      for (let references = 0; ;) {
        const reply = await replies.next(messageId)
        if (reply.tag === LDAP_REPLIES.reference) references += 1
        else if (reply.tag === LDAP_REPLIES.entry) {
          if (entries.length === limit) fail('UNAVAILABLE', 'the directory found more than it was asked for')
          entries.push(readEntry(reply))
        } else if (reply.tag === LDAP_REPLIES.done) {
          const answer = readResult(reply)
          const isCut = answer.code === RESULTS.sizeLimit
          if (!isCut && answer.code !== RESULTS.success) {
            fail('UNAVAILABLE', `the directory cannot search "${base}": ${explained(answer)}`)
          }
          return { entries, isCut, references }
        } else fail('UNAVAILABLE', 'the directory answered another question')
      }
    },

    [Symbol.dispose](): void {
      ask((id) => new ldap.UnbindRequest({ messageId: id }))
      replies[Symbol.dispose]()
    },
  }
}

export type LdapConnection = Awaited<ReturnType<typeof connectLdap>>

/** @throws INVALID_INPUT if this is no filter */
export async function requireLdapFilter(filter: string, field: string): Promise<void> {
  const { FilterParser } = await import('ldapts')
  try {
    FilterParser.parseString(filter)
  } catch (error) {
    fail('INVALID_INPUT', `${field}: this is not a filter, such as (uid={name})`, { field }, { cause: error })
  }
}

async function readCa(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException
    const message = `the file with the certificate authority cannot be read: ${path} (${code})`
    return fail('UNAVAILABLE', message, {}, { cause: error })
  }
}

const WORDS: Readonly<Record<number, string>> = {
  1: 'operations error',
  8: 'stronger authentication required',
  [RESULTS.referral]: 'a referral to another server, which is not followed',
  13: 'confidentiality required',
  32: 'no such entry',
  49: 'invalid credentials',
  50: 'insufficient access',
  51: 'busy',
  52: 'unavailable',
  53: 'unwilling to perform',
}

/** What Active Directory means by the codes in its messages for invalid credentials. */
const DIRECTORY_CODES: Readonly<Record<string, string>> = {
  '525': 'there is no such user',
  '52e': 'the password is wrong',
  '530': 'not permitted at this time',
  '531': 'not permitted at this computer',
  '532': 'the password has expired',
  '533': 'the account is disabled',
  '701': 'the account has expired',
  '773': 'the password must be changed first',
  '775': 'the account is locked',
}

const MAX_SAID = 200

function explained({ code, said }: LdapResult): string {
  const own = DIRECTORY_CODES[/\bdata ([0-9a-f]+)\b/.exec(said)?.[1] ?? '']
  const text = own ?? printable(said).trim().slice(0, MAX_SAID)
  return [`result ${code}`, WORDS[code], text].filter((part) => part !== undefined && part !== '').join(', ')
}
