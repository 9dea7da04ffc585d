/** Stands for a secret. */
export const MASK = '***'

/** A name of something secret, such as "passwordHash", "--api-key" or "DB_PASSWORD". */
const SECRET_NAME = /pass(word|wd|phrase)?|pwd|secret|token|credential|api[-_]?key|access[-_]?key|private[-_]?key|hash/i

/** "name=value", "name: value" and "--name value", where the name is that of a secret. */
const NAMED = new RegExp(
  `((?:^|[\\s"'&?;,{])-{0,2}[\\w.-]*?(?:${SECRET_NAME.source})[\\w.-]*["']?(?:\\s*[=:]\\s*|\\s+(?=\\S)(?<=-\\S*\\s+)))("[^"]*"|'[^']*'|[^\\s&;,]+)`,
  'gi',
)
const HEADER = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi
/** "-u name:password" of curl. */
const USER = /(\s-u\s*|\s--user[\s=])("[^"]*"|'[^']*'|\S+)/g
/** The password in an address. It may contain "/" or "@", if somebody did not encode it. */
const ADDRESS = /([a-z][a-z\d+.-]*:\/\/[^\s:@/?#]*):[^\s"']*@/gi
/** What follows the host of a web address: the addresses of many webhooks are secret. */
const AFTER_HOST = /\b(https?:\/\/[^\s/?#"']+)[/?#][^\s"']+/gi

/**
 * A text without the passwords and tokens in it, as far as they can be recognized.
 *
 * @param hidesPaths for command lines and webhooks: also what follows the host in web addresses
 */
export function maskedText(text: string, { hidesPaths = false } = {}): string {
  const masked = text
    .replaceAll(ADDRESS, `$1:${MASK}@`)
    .replaceAll(HEADER, `$1 ${MASK}`)
    .replaceAll(USER, `$1${MASK}`)
    .replaceAll(NAMED, (whole, before: string, value: string) =>
      /^(bearer|basic)$/i.test(value) ? whole : before + MASK,
    )
  return hidesPaths ? masked.replaceAll(AFTER_HOST, `$1/${MASK}`) : masked
}
