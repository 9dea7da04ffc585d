import { access, constants, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isFilemgrError } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import { requireUsableOptions } from '../../services/settings/usable-options.ts'
import { unknownVariables } from '../../options/environment.ts'
import { advice, type Check, fault, type Finding, type DoctorContext } from './doctor-context.ts'

const SECRET = /^(store|sessions)\.|^daemon\.json$|\.tar$/
const OTHERS = 0o077

/** Read access to the store gives all password hashes and the key that signs tokens. */
export const dataFolderCheck: Check = {
  name: 'data-folder',
  title: 'Data folder: exists, writable, private',
  async run({ folder }: DoctorContext) {
    const found = await stat(folder).catch(() => undefined)
    if (found === undefined) return [fault(`there is no folder ${folder}`, 'filemgr init, or name another with --data')]
    if (!found.isDirectory()) return [fault(`${folder} is not a folder`, 'name a folder with --data')]
    const mine = process.geteuid?.() ?? found.uid
    const owner = [found.uid, mine].includes(0) || found.uid === mine ? [] : [foreign(folder, found.uid, mine)]
    const within = await othersWithin(folder, found.uid)
    return [...owner, ...within, ...(await openToOthers(folder, found.mode)), ...(await unwritable(folder))]
  },
}

function foreign(folder: string, owner: number, mine: number): Finding {
  return fault(`${folder} belongs to the account ${owner}, not to ${mine}`, `chown -R ${mine} ${folder}`)
}

/** What an account other than that of the daemon left there, which the daemon may be unable to read or replace. */
async function othersWithin(folder: string, owner: number): Promise<Finding[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const strays: string[] = []
  for (const name of names.filter((each) => !each.startsWith('cache'))) {
    const found = await lstat(join(folder, name)).catch(() => undefined)
    if (found !== undefined && found.uid !== owner) strays.push(name)
  }
  const [first] = strays
  if (first === undefined) return []
  const others = strays.length === 1 ? '' : ` and ${strays.length - 1} more`
  const problem = `${join(folder, first)}${others}: not owned by the account ${owner}, as the data folder is`
  return [fault(problem, `chown -R ${owner} ${folder}`)]
}

async function openToOthers(folder: string, mode: number): Promise<Finding[]> {
  const findings = isOpen(mode) ? [fault(`others can enter ${folder}`, `chmod 700 ${folder}`)] : []
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((candidate) => SECRET.test(candidate))) {
    const path = join(folder, name)
    const found = await lstat(path).catch(() => undefined)
    if (found !== undefined && !found.isFile()) findings.push(fault(`${path} is no plain file`, 'move it away'))
    else if (found !== undefined && isOpen(found.mode))
      findings.push(fault(`others can read ${path}`, `chmod 600 ${path}`))
  }
  return findings
}

function isOpen(mode: number): boolean {
  return (mode & OTHERS) !== 0
}

async function unwritable(folder: string): Promise<Finding[]> {
  const writable = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  return writable ? [] : [fault(`this account may not write to ${folder}`, 'give it to the account that runs filemgr')]
}

export const storeCheck: Check = {
  name: 'store',
  title: 'Store: valid, of this version',
  run({ store, folder, daemon }: DoctorContext) {
    const { problem, reason, copies, corrupt } = store
    const set = corrupt.map((name) =>
      advice(`${name} was set aside as damaged`, 'compare it with store.json, then remove it'),
    )
    if (problem === undefined) return set
    if (reason === 'missing' && copies.length === 0)
      return [fault(problem, 'filemgr init, filemgr import or filemgr restore')]
    if (reason === 'newer') return [fault(problem, 'install the newer filemgr again, or restore a backup of this one')]
    const running = daemon === undefined ? '' : '; the daemon goes on with the state before until then'
    const repaired = `correct the place that it names${running}, or filemgr restore BACKUP`
    const [newest] = copies
    const fix = newest === undefined ? repaired : `${repaired}, or copy ${folder}/${newest} over it: that one is sound`
    return [fault(problem, fix), ...set]
  },
}

export const startUpValuesCheck: Check = {
  name: 'start-up-values',
  title: 'Start-up values of environment, config file and store',
  run({ nextOptions, environment }: DoctorContext) {
    const problem = typeof nextOptions === 'string' ? nextOptions : problemOf(nextOptions)
    const unknown = unknownVariables(environment).map((name) =>
      advice(`${name} is set but is not an option of filemgr`, 'correct its name, or remove it'),
    )
    return problem === undefined
      ? unknown
      : [fault(problem, 'correct it; "filemgr server get" shows where each value is from'), ...unknown]
  },
}

function problemOf(options: ServerOptions): string | undefined {
  try {
    requireUsableOptions(options)
    return undefined
  } catch (error) {
    if (isFilemgrError(error)) return error.message
    throw error
  }
}

const TOLERANCE = 120_000
/** This program is younger. */
const EARLIEST = Date.UTC(2025, 0, 1)

/** Sessions, links and certificates end by the clock. */
export const clockCheck: Check = {
  name: 'clock',
  title: 'Clock of this machine',
  async run({ folder, now }: DoctorContext) {
    const fix = 'set the clock, and switch time synchronisation on (timedatectl set-ntp true)'
    if (now < EARLIEST) return [fault(`the clock says ${new Date(now).toISOString()}`, fix)]
    const names = ['store.json', 'sessions']
    const found = await Promise.all(names.map(async (name) => await stat(join(folder, name)).catch(() => undefined)))
    const latest = Math.max(0, ...found.map((stats) => stats?.mtimeMs ?? 0))
    if (latest <= now + TOLERANCE) return []
    return [fault(`the clock is behind: our own files were written at ${new Date(latest).toISOString()}`, fix)]
  },
}
