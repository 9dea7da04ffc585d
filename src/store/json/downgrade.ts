import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FilemgrError } from '../../domain/errors.ts'
import { joinCommand } from '../../domain/text/command-words.ts'
import type { WrittenBy } from './document-codec.ts'

/**
 * Where an upgrade keeps the file of an older filemgr: "store.v1.0.0.json", or with the version of the format if that filemgr
 * did not write its own version.
 */
export function preUpgradePathOf(path: string, { version, writer }: WrittenBy): string {
  return `${path.slice(0, -'.json'.length)}.v${writer ?? version}.json`
}

/**
 * Adds to the error about a file of a newer filemgr how to go back to the state before the upgrade.
 *
 * @param isValid whether this filemgr can read the content of a file
 */
export async function withDowngradeHint(
  error: FilemgrError,
  path: string,
  isValid: (bytes: Uint8Array) => boolean,
): Promise<FilemgrError> {
  const { code, message, details } = error
  if (details.reason !== 'newer') return error
  const kept = await newestPreUpgradeFile(path, isValid)
  const command = joinCommand(['filemgr', '--data', dirname(path), 'restore', kept ?? 'FILE'])
  const way =
    kept === undefined ? `restore a backup from before the upgrade` : `go back to the state before the upgrade`
  return new FilemgrError(code, `${message}, or ${way}: ${command}`, details)
}

async function newestPreUpgradeFile(
  path: string,
  isValid: (bytes: Uint8Array) => boolean,
): Promise<string | undefined> {
  const start = `${basename(path, '.json')}.v`
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(start) && name.endsWith('.json'))
  const found = await Promise.all(
    names.map(async (name) => {
      const kept = join(dirname(path), name)
      return { kept, time: (await stat(kept)).mtimeMs, isUsable: isValid(await readFile(kept)) }
    }),
  )
  return found.filter(({ isUsable }) => isUsable).toSorted((one, other) => other.time - one.time)[0]?.kept
}
