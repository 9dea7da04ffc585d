import { Option } from 'commander'
import { linkOptions } from '../api/shares/operator.ts'
import { fail } from '../domain/errors.ts'
import { expiryAfter } from '../domain/shares/share.ts'
import { baseOf, publicBase } from '../domain/server/server-options.ts'
import { parseDuration } from '../domain/text/units.ts'
import type { Door } from './door/door.ts'
import type { Invocation } from './program/command.ts'
import { findDaemon } from './data-folder.ts'
import { timeFrom } from './time-text.ts'
import { readLineOf } from './program/prompts.ts'

/** Flags for every command that creates or changes a link. */
export function shareOptions(): Option[] {
  return [
    expiryOption(),
    new Option('--share-password <text>', 'password of the link; visible in the process list'),
    new Option('--share-password-stdin', 'read the password of the link from standard input'),
  ]
}

/** Until when a link works, or something is shared with users. `expiryFrom` reads it. */
export function expiryOption(): Option {
  return new Option('--expires <when>', 'end, such as 7d, 12h, 2026-12-31 or 2026-12-31T18:00; "never" for none')
}

/**
 * When a share expires, in Unix seconds; 0 for never, undefined without --expires.
 *
 * @param now milliseconds since 1970
 * @throws INVALID_INPUT, also for a time that has passed
 */
export function expiryFrom({ values }: Invocation, now: number): number | undefined {
  const text = values['expires']
  if (typeof text !== 'string') return undefined
  if (text === 'never') return 0
  const duration = parseDuration(text)
  if (duration !== undefined) return expiryAfter(duration, now)
  const left = Date.parse(timeFrom(text, '--expires', 1)) - now
  if (left <= 0) fail('INVALID_INPUT', `--expires ${text} is in the past`, { field: 'expires' })
  return expiryAfter(left, now)
}

/** Undefined without a password flag. @throws INVALID_INPUT for two passwords or an empty one */
export async function sharePasswordFrom({ values, terminal }: Invocation): Promise<string | undefined> {
  const { sharePassword, sharePasswordStdin } = values
  if (sharePassword !== undefined && sharePasswordStdin === true) {
    fail('INVALID_INPUT', 'use only one of --share-password and --share-password-stdin', { field: 'share-password' })
  }
  if (sharePasswordStdin === true) return await readLineOf(terminal.stdin)
  if (sharePassword === '') fail('INVALID_INPUT', 'the password of a link cannot be empty', { field: 'share-password' })
  return typeof sharePassword === 'string' ? sharePassword : undefined
}

/**
 * Returns a function for the address of a share: below the public address, else the address of the running daemon, else the
 * address that a daemon would use. If none is known, it returns only the path.
 */
export async function shareAddress(invocation: Invocation, door: Door): Promise<(hash: string) => string> {
  const { options, daemon, known } = await siteAddress(invocation, door)
  if (known !== undefined) return linksBelow(known)
  const path = `${baseOf(options)}/`
  if (daemon !== undefined && !daemon.url.startsWith('unix:') && daemon.url !== '') return linksBelow(daemon.url)
  if (daemon !== undefined || options.socket !== '' || options.port === 0) return linksBelow(path)
  const { reachableUrls } = await import('../daemon/listen.ts')
  return linksBelow(reachableUrls(options, options.port)[0] ?? path)
}

/** Where others reach the site, with a slash at its end: as the operator says, or as the daemon has learned from its proxy. */
export async function siteAddress(invocation: Invocation, door: Door) {
  const options = await door.call(linkOptions, {})
  const daemon = await findDaemon(invocation)
  return { options, daemon, known: publicBase(options) ?? daemon?.learnedUrl }
}

/** @param url the daemon's address, with a slash at its end */
export function linksBelow(url: string): (hash: string) => string {
  return (hash) => `${url}share/${hash}`
}
