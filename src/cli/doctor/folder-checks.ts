import { stat, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isFilemgrError } from '../../domain/errors.ts'
import { type Conditions, describeUnconditional } from '../../domain/files/bucket-conditions.ts'
import type { StagedBy, StagedEntry } from '../../domain/files/hidden-entry.ts'
import { isBucketUrl } from '../../domain/server/addresses.ts'
import { printable } from '../../domain/text/printable.ts'
import { formatByteSize } from '../../domain/text/units.ts'
import { findProgram } from '../../platform/processes/processes.ts'
import { findOutsideLinks, identityOf } from '../../platform/files/served-root.ts'
import { describeLack, remedyOf } from './daemon-account.ts'
import { advice, type Check, fault, type Finding, type DoctorContext, limited, skip } from './doctor-context.ts'

export const rootCheck: Check = {
  name: 'root',
  title: 'Served folder: exists, unchanged since the daemon started, readable, writable',
  async run({ options: { root, readOnly }, daemon, account }: DoctorContext) {
    if (isBucketUrl(root)) return await bucketFindings(root, readOnly, daemon?.conditions)
    const served = daemon?.root
    if (served !== undefined && (await identityOf(served.path)) !== served.identity) {
      const problem = `${served.path} is missing, or a different folder than when the daemon started`
      const fix = 'mount the disk, or put the folder back; to serve the folder that is there now, restart the daemon'
      return [fault(`${problem}: a disk was mounted or unmounted, or the folder was moved`, fix)]
    }
    const another = 'choose an existing folder: filemgr server set root=FOLDER'
    const found = await stat(root).catch((error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown error')
    if (found === 'ENOENT' || found === 'ENOTDIR') return [fault(`the folder ${root} does not exist`, another)]
    if (typeof found === 'string') return [fault(`${root} cannot be reached (${found})`, another)]
    if (!found.isDirectory()) return [fault(`${root} is not a folder`, another)]
    const unread = await account.lacks(root, 'read')
    if (unread !== undefined) return [fault(describeLack(account, unread), remedyOf(account, unread, root))]
    const unwritten = readOnly ? undefined : await account.lacks(root, 'write')
    if (unwritten === undefined) return []
    const fix = `${remedyOf(account, unwritten, root)}; or serve it read-only: filemgr server set readOnly=true`
    return [fault(`${describeLack(account, unwritten)}, so every upload fails`, fix)]
  },
}

/** @param known what a running daemon has found out */
async function bucketFindings(root: string, readOnly: boolean, known: Conditions | undefined): Promise<Finding[]> {
  const { checkServedFolder, conditionsOf } = await import('../../context/served-folder.ts')
  try {
    const found = await checkServedFolder(root)
    const fix = 'add a lifecycle rule that removes old versions, or leave it so if you want to keep them'
    const versions = found.advice === undefined ? [] : [advice(found.advice, fix)]
    const conditions = readOnly ? undefined : (known ?? (await conditionsOf(root)))
    const missing = conditions && describeUnconditional(conditions)
    if (missing === undefined) return versions
    const alone =
      'nothing, if only filemgr writes to the bucket: it locks what it changes; other programs could overwrite it'
    return [...versions, advice(`${root} ${missing}`, alone)]
  } catch (error) {
    if (!isFilemgrError(error)) throw error
    return [fault(`${root} cannot be served: ${error.message}`, 'see the page "Files on S3" of the documentation')]
  }
}

export const linksCheck: Check = {
  name: 'links',
  title: 'Symbolic links that lead out of the served folder',
  async run({ options: { root, followExternalSymlinks } }: DoctorContext) {
    if (isBucketUrl(root)) return skip('a bucket has no links')
    const found = await findOutsideLinks(root).catch(() => undefined)
    if (found === undefined) return skip('the served folder cannot be read')
    return found.links.map((link) =>
      followExternalSymlinks
        ? fault(
            `${link} lets users leave the served folder`,
            'remove the link, or: filemgr server unset followExternalSymlinks',
          )
        : advice(
            `${link} leads out of the served folder and is not followed`,
            'move its target into the folder, or bind-mount it there',
          ),
    )
  },
}

const SEARCH_TIMEOUT = 60_000

const STAGED_BY_TEXTS: Record<Exclude<StagedBy, 'this run'>, string> = {
  'an earlier run': 'by a daemon that was killed',
  'another installation': 'by another filemgr that serves or served this folder',
  unknown: 'by a command, or by a daemon without a data folder',
}
const FIXES: Record<keyof typeof STAGED_BY_TEXTS, string> = {
  'an earlier run': 'remove it; the daemon also does so when it starts after a crash',
  'another installation': 'remove it if no other filemgr serves this folder any more',
  unknown: 'remove it; the daemon also does so when it starts after a crash',
}

export const hiddenFilesCheck: Check = {
  name: 'hidden-files',
  title: 'Leftover hidden files of filemgr in the served folder',
  async run({ folder, database, options, store: { document }, daemon, now }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { findHidden } = await import('../../upkeep/inspect-store.ts')
    const signal = AbortSignal.timeout(SEARCH_TIMEOUT)
    try {
      const location = { folder, url: database }
      const search = { location, options, document, isRunning: daemon !== undefined, now, signal }
      const { abandoned, orphaned, isComplete } = await findHidden(search)
      const kinds = Object.keys(STAGED_BY_TEXTS) as (keyof typeof STAGED_BY_TEXTS)[]
      return [
        ...kinds.flatMap((kind) => leftovers(kind, abandoned)),
        ...limited(
          orphaned.map(({ path }) =>
            advice(
              `${printable(path)} is the trash of a user who was deleted or now sees another folder`,
              'move out what you want to keep (<id>/content in it), then: filemgr trash empty --orphaned',
            ),
          ),
        ),
        ...(isComplete
          ? []
          : [advice('the search did not finish within a minute', 'remove the files above, then run doctor again')]),
      ]
    } catch (error) {
      if (isFilemgrError(error)) return skip(error.message)
      throw error
    }
  },
}

function leftovers(kind: keyof typeof STAGED_BY_TEXTS, entries: readonly StagedEntry[]): Finding[] {
  const found = entries
    .filter(({ by }) => by === kind)
    .map(({ path, isDir, size }) => {
      const detail = isDir ? 'a folder' : formatByteSize(size)
      return advice(`${printable(path)} (${detail}) was left unfinished ${STAGED_BY_TEXTS[kind]}`, FIXES[kind])
    })
  return limited(found)
}

const MEBIBYTE = 1024 * 1024
/** Below this, uploads are refused. */
const RESERVE = 64 * MEBIBYTE
const WARN_BELOW = 1024 * MEBIBYTE

export const spaceCheck: Check = {
  name: 'space',
  title: 'Free space on the disks',
  async run({ folder, options }: DoctorContext) {
    const findings = await Promise.all([folder, options.root].map(async (path) => findingOn(path, await freeOn(path))))
    return findings.flat()
  },
}

/** Bytes; undefined if the path does not exist. */
async function freeOn(path: string): Promise<number | undefined> {
  const found = await statfs(path).catch(() => undefined)
  return found && found.bavail * found.bsize
}

export function findingOn(path: string, free: number | undefined): Finding[] {
  if (free === undefined || free >= WARN_BELOW) return []
  const problem = `only ${formatByteSize(Math.floor(free / MEBIBYTE) * MEBIBYTE)} are free on the disk of ${path}`
  if (free >= RESERVE) return [advice(problem, 'free some space before the disk is full')]
  return [fault(problem, `free some space: uploads are refused below ${formatByteSize(RESERVE)}`)]
}

export const toolsCheck: Check = {
  name: 'tools',
  title: 'Optional programs: sharp, ffmpeg, heif-dec, pdftoppm',
  async run({ programs, options }: DoctorContext) {
    const sharp = options.disableThumbnails || hasPackage('sharp') ? [] : [withoutSharp]
    const isInstalled = async (name: string) => (await findProgram(name, programs)) !== undefined
    const video = (await isInstalled('ffmpeg')) ? [] : [withoutFfmpeg]
    const heic = (await isInstalled('heif-dec')) || (await isInstalled('heif-convert')) ? [] : [withoutHeif]
    const pdf = (await isInstalled('pdftoppm')) ? [] : [withoutPdftoppm]
    return [...sharp, ...video, ...heic, ...pdf]
  },
}

const withoutSharp = advice(
  'sharp is not installed: pictures have no thumbnails',
  'run npm install again, with optional packages',
)
const withoutFfmpeg = advice(
  'ffmpeg is not installed: videos have no thumbnails',
  'install ffmpeg in /usr/bin or /usr/local/bin if you want them',
)
const withoutHeif = advice(
  'neither heif-dec nor heif-convert is installed: HEIC pictures have no thumbnails',
  'install the tools of libheif (libheif-examples) in /usr/bin or /usr/local/bin if you want them',
)

const withoutPdftoppm = advice(
  'pdftoppm is not installed: PDF documents have no thumbnails',
  'install the tools of poppler (poppler-utils) in /usr/bin or /usr/local/bin if you want them',
)

function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
