/** Stands for a value in a filter or a name, such as "(uid={name})". */
const PLACEHOLDER = /\{([a-z]+)\}/g

/** All of ASCII that could mean something in a filter (RFC 4515) or in the name of an entry (RFC 4514). */
const SPECIAL = /[^\w@.'\u0080-\u{10ffff}-]/gu

/**
 * A filter, or the name of an entry, with these values in it. The attacks are names such as "*", "x)(uid=admin" and
 * "x,ou=admins", which find or name somebody else. Other letters stay as they are: ldapts takes each escaped byte for a letter.
 * Without "=" it is neither, but what Active Directory also binds, such as "{name}@corp.example", which has no escapes.
 */
export function ldapWith(template: string, values: Readonly<Record<string, string>>): string {
  const hasEscapes = template.includes('=')
  return template.replace(PLACEHOLDER, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) return whole
    return hasEscapes ? value.replace(SPECIAL, escapedByte) : value
  })
}

function escapedByte(letter: string): string {
  return `\\${letter.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** Where the bytes of a GUID are in its text: Active Directory keeps three parts reversed. */
const GUID_PARTS = [
  [3, 2, 1, 0],
  [5, 4],
  [7, 6],
  [8, 9],
  [10, 11, 12, 13, 14, 15],
]

/** The value of an attribute that identifies an entry, as text. */
export function ldapIdText(attribute: string, value: Buffer): string {
  if (isGuid(attribute) && value.length === 16) {
    return GUID_PARTS.map((places) => Buffer.from(places.map((at) => value[at] ?? 0)).toString('hex')).join('-')
  }
  const text = value.toString('latin1')
  return /^(?!#)[\x21-\x7e]+$/.test(text) ? text : `#${value.toString('hex')}`
}

/** The value that `ldapIdText` has written. */
export function ldapIdValue(attribute: string, text: string): Buffer {
  if (text.startsWith('#')) return Buffer.from(text.slice(1), 'hex')
  if (!isGuid(attribute)) return Buffer.from(text, 'latin1')
  const ordered = Buffer.from(text.replaceAll('-', ''), 'hex')
  const places = GUID_PARTS.flat()
  return Buffer.from(places.map((_, at) => ordered[places.indexOf(at)] ?? 0))
}

function isGuid(attribute: string): boolean {
  return /^objectGUID$/i.test(attribute)
}
