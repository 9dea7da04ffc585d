import { fail } from '../../../domain/errors.ts'

/** One element of BER: its tag, and what it contains. */
export interface BerElement {
  readonly tag: number
  readonly body: Buffer
}

/** What a directory answered. */
export interface LdapReply {
  readonly id: number
  readonly operation: BerElement
}

/** The end of an operation. */
export interface LdapResult {
  readonly code: number
  /** What the directory says about it. */
  readonly said: string
}

export interface LdapEntry {
  readonly dn: string
  /** By name in small letters, without options such as ";lang-de". */
  readonly attributes: ReadonlyMap<string, readonly Buffer[]>
}

export const LDAP_REPLIES = { bind: 0x61, entry: 0x64, done: 0x65, reference: 0x73, extended: 0x78 } as const

const TAGS = { integer: 0x02, text: 0x04, enumerated: 0x0a, sequence: 0x30, set: 0x31 } as const
const MAX_LENGTH_BYTES = 4

/**
 * How many bytes the message at the beginning takes; undefined if its length is not there yet.
 *
 * @throws UNAVAILABLE if this is not LDAP
 */
export function messageSize(bytes: Buffer): number | undefined {
  if (bytes.length > 0 && bytes[0] !== TAGS.sequence) failNonsense()
  const header = headerOf(bytes, 0)
  return header === undefined ? undefined : header.start + header.length
}

/** @throws UNAVAILABLE if this is no whole message */
export function readReply(message: Buffer): LdapReply {
  const [id, operation] = elementsOf(only(elementsOf(message), TAGS.sequence).body)
  if (operation === undefined) return failNonsense()
  return { id: numberIn(expected(id, TAGS.integer)), operation }
}

/** @throws UNAVAILABLE */
export function readResult({ body }: BerElement): LdapResult {
  const [code, , said] = elementsOf(body)
  return { code: numberIn(expected(code, TAGS.enumerated)), said: textIn(expected(said, TAGS.text)) }
}

/** @throws UNAVAILABLE */
export function readEntry({ body }: BerElement): LdapEntry {
  const [dn, list] = elementsOf(body)
  const attributes = new Map<string, readonly Buffer[]>()
  for (const attribute of elementsOf(expected(list, TAGS.sequence).body)) {
    const [type, values] = elementsOf(expected(attribute, TAGS.sequence).body)
    const [name = ''] = textIn(expected(type, TAGS.text)).toLowerCase().split(';', 1)
    const found = elementsOf(expected(values, TAGS.set).body).map((value) => expected(value, TAGS.text).body)
    attributes.set(name, [...(attributes.get(name) ?? []), ...found])
  }
  return { dn: textIn(expected(dn, TAGS.text)), attributes }
}

/** The values of an attribute, in whatever case its name is written. */
export function ldapValues({ attributes }: LdapEntry, name: string): readonly Buffer[] {
  return attributes.get(name.toLowerCase()) ?? []
}

/** Every element must end where what contains it ends: otherwise an answer could hide a part of itself, or be read without end. */
function elementsOf(bytes: Buffer): BerElement[] {
  const found: BerElement[] = []
  for (let at = 0; at < bytes.length;) {
    const header = headerOf(bytes, at)
    if (header === undefined || header.start + header.length > bytes.length) return failNonsense()
    const end = header.start + header.length
    found.push({ tag: bytes[at] ?? 0, body: bytes.subarray(header.start, end) })
    at = end
  }
  return found
}

function headerOf(bytes: Buffer, at: number): { readonly start: number; readonly length: number } | undefined {
  const first = bytes[at + 1]
  if (first === undefined) return undefined
  if (first < 0x80) return { start: at + 2, length: first }
  const count = first - 0x80
  if (count === 0 || count > MAX_LENGTH_BYTES) return failNonsense()
  if (bytes.length < at + 2 + count) return undefined
  return { start: at + 2 + count, length: bytes.readUIntBE(at + 2, count) }
}

function only([element, ...others]: readonly BerElement[], tag: number): BerElement {
  return others.length > 0 ? failNonsense() : expected(element, tag)
}

function expected(element: BerElement | undefined, tag: number): BerElement {
  return element?.tag === tag ? element : failNonsense()
}

function numberIn({ body }: BerElement): number {
  if (body.length === 0 || body.length > MAX_LENGTH_BYTES) return failNonsense()
  return body.readIntBE(0, body.length)
}

function textIn({ body }: BerElement): string {
  return body.toString('utf8')
}

function failNonsense(): never {
  return fail('UNAVAILABLE', 'what answers there does not speak LDAP')
}
