import { fail } from '../errors.ts'

/** Of at least two letters, as in "mysql://db/files" and in "s3:/bucket", which lacks a slash. */
const SCHEME = /^([a-z][a-z0-9+.-]+:)\//i

/**
 * An address that filemgr does not know, or that is misspelt, must not become a folder named "mysql:". A folder may still have
 * such a name, as in "./mysql:/a".
 *
 * @param advice what the value may be
 * @throws INVALID_INPUT, without the text, which may contain a password
 */
export function requireLocalPath(path: string, name: string, advice: string, field = name.replace(/^--/, '')): void {
  const scheme = SCHEME.exec(path)?.[1]
  if (scheme !== undefined)
    fail('INVALID_INPUT', `${name} does not take addresses with "${scheme}"; ${advice}`, { field })
}
