import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { problemIn } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { requireUsableOptions } from '../../services/server/usable-options.ts'
import { unknownVariables } from '../../options/environment.ts'
import { type DaemonAccount, describeLack } from './daemon-account.ts'
import { advice, type Check, fault, type Finding, type DoctorContext, skip } from './doctor-context.ts'
import { describeNode, describeSkew, MAX_SKEW, type NodeState } from '../../domain/server/node.ts'

const SECRET = /^(store|sessions)\.|^daemon\.json$|\.tar$/
const GROUP_AND_OTHERS = 0o077

/** Anyone who can read the store gets all password hashes and the key that signs tokens. */
export const dataFolderCheck: Check = {
  name: 'data-folder',
  title: 'Data folder: exists, writable, private',
  async run({ folder, account: daemon }: DoctorContext) {
    const found = await stat(folder).catch(() => undefined)
    if (found === undefined)
      return [fault(`the folder ${folder} does not exist`, 'filemgr init, or choose another with --data')]
    if (!found.isDirectory()) return [fault(`${folder} is not a folder`, 'choose a folder with --data')]
    const account = process.geteuid?.() ?? found.uid
    const owner =
      [found.uid, account].includes(0) || found.uid === account ? [] : [wrongOwner(folder, found.uid, account)]
    const within = await foreignFiles(folder, found.uid)
    return [...owner, ...within, ...(await openToOthers(folder, found.mode)), ...(await unwritable(folder, daemon))]
  },
}

function wrongOwner(folder: string, owner: number, account: number): Finding {
  return fault(`${folder} belongs to account ${owner}, not ${account}`, `chown -R ${account} ${folder}`)
}

/** Files that belong to another account than the folder, so that the daemon may be unable to read or replace them. */
async function foreignFiles(folder: string, owner: number): Promise<Finding[]> {
  const strays: string[] = []
  const visit = async (names: readonly string[]) => {
    for (const name of names.filter((each) => !each.startsWith('cache'))) {
      const found = await lstat(join(folder, name)).catch(() => undefined)
      if (found !== undefined && found.uid !== owner) strays.push(name)
      // One by one: a folder that may not be read hides nothing else.
      if (found?.isDirectory() === true) await visit(await namesIn(folder, name))
    }
  }
  await visit(await namesIn(folder, ''))
  const [first] = strays
  if (first === undefined) return []
  const others = strays.length === 1 ? '' : ` and ${strays.length - 1} more`
  const problem = `${join(folder, first)}${others}: not owned by the account ${owner}, as the data folder is`
  return [fault(problem, `chown -R ${owner} ${folder}`)]
}

async function namesIn(folder: string, name: string): Promise<string[]> {
  return (await readdir(join(folder, name)).catch(() => [])).map((each) => join(name, each))
}

async function openToOthers(folder: string, mode: number): Promise<Finding[]> {
  const findings = isOpen(mode) ? [fault(`others can enter ${folder}`, `chmod 700 ${folder}`)] : []
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((candidate) => SECRET.test(candidate))) {
    const path = join(folder, name)
    const found = await lstat(path).catch(() => undefined)
    if (found !== undefined && !found.isFile())
      findings.push(fault(`${path} is not a regular file`, 'move it elsewhere'))
    else if (found !== undefined && isOpen(found.mode))
      findings.push(fault(`others can read ${path}`, `chmod 600 ${path}`))
  }
  return findings
}

function isOpen(mode: number): boolean {
  return (mode & GROUP_AND_OTHERS) !== 0
}

async function unwritable(folder: string, account: DaemonAccount): Promise<Finding[]> {
  const lack = (await account.lacks(folder, 'read')) ?? (await account.lacks(folder, 'write'))
  if (lack === undefined) return []
  return [
    fault(
      describeLack(account, lack),
      `make the account that runs filemgr its owner: chown -R ${account.name}: ${folder}`,
    ),
  ]
}

export const storeCheck: Check = {
  name: 'store',
  title: 'Store: valid, and written by this version',
  run({ store, folder, daemon, database }: DoctorContext) {
    const { problem, reason, copies, corrupt, journalProblem } = store
    const damaged = corrupt.map((name) =>
      advice(`${name} is a damaged store that was replaced`, 'compare it with store.json, then remove it'),
    )
    const journal =
      journalProblem === undefined
        ? []
        : [
            fault(
              `${journalProblem}: later changes cannot be read`,
              daemon === undefined
                ? 'start the daemon, which keeps that file aside and uses the changes before'
                : 'restart the daemon: it still has all changes, and writes them to store.json when it stops',
            ),
          ]
    if (problem === undefined) return [...journal, ...damaged]
    if (reason === 'missing' && copies.length === 0)
      return [fault(problem, 'filemgr init, filemgr import or filemgr restore')]
    if (reason === 'newer') {
      const [cause = '', ...remedy] = problem.split('. ')
      return [fault(cause, remedy.join('. '))]
    }
    if (database !== '')
      return [
        fault(problem, 'check that the database runs, and that its address and the rights of its user are correct'),
      ]
    const running = daemon === undefined ? '' : ' (until then, the daemon uses its last valid state)'
    const repair = `correct the file at that place${running}, or filemgr restore BACKUP`
    const [newest] = copies
    const fix = newest === undefined ? repair : `${repair}, or replace it with the valid copy ${folder}/${newest}`
    return [fault(problem, fix), ...damaged]
  },
}

export const startUpValuesCheck: Check = {
  name: 'start-up-values',
  title: 'Server options from environment, config file and store',
  run({ nextOptions, environment }: DoctorContext) {
    const problem = typeof nextOptions === 'string' ? nextOptions : problemOf(nextOptions)
    const unknown = unknownVariables(environment).map((name) =>
      advice(`${name} is set, but filemgr has no such option`, 'correct the name, or remove it'),
    )
    return problem === undefined
      ? unknown
      : [fault(problem, 'correct it; "filemgr server get" shows where each value comes from'), ...unknown]
  },
}

function problemOf(options: ServerOptions): string | undefined {
  return problemIn(() => requireUsableOptions(options))?.message
}

export const brandingCheck: Check = {
  name: 'branding',
  title: 'Branding folder: exists',
  async run({ store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { files } = document.settings.branding
    if (files === '') return skip('branding files are uploaded')
    const found = await stat(files).catch(() => undefined)
    if (found?.isDirectory() === true) return []
    const fix = 'put it there, on each machine that runs filemgr, or: filemgr settings set branding.files=""'
    return [fault(`the branding folder ${files} does not exist on this machine`, fix)]
  },
}

const TOLERANCE = 120_000
/** Earlier than the first release, so an earlier clock is wrong. */
const EARLIEST = Date.UTC(2025, 0, 1)

/** A wrong clock ends sessions, links and certificates too early or too late. */
export const clockCheck: Check = {
  name: 'clock',
  title: 'Clock of this machine',
  async run({ folder, now }: DoctorContext) {
    const fix = 'set the clock, and turn on time synchronisation (timedatectl set-ntp true)'
    if (now < EARLIEST) return [fault(`the clock says ${new Date(now).toISOString()}`, fix)]
    const names = ['store.json', 'sessions']
    const found = await Promise.all(names.map(async (name) => await stat(join(folder, name)).catch(() => undefined)))
    const latest = Math.max(0, ...found.map((stats) => stats?.mtimeMs ?? 0))
    if (latest <= now + TOLERANCE) return []
    return [fault(`the clock is behind: the store was last written at ${new Date(latest).toISOString()}`, fix)]
  },
}

/** Daemons of one store must serve the same files, by the same rules, at the same time. */
export const nodesCheck: Check = {
  name: 'nodes',
  title: 'Daemons that share the database: alike, and clocks right',
  async run({ folder, database, store: { document } }: DoctorContext) {
    if (database === '') return skip('the store is in the data folder')
    if (document === undefined) return skip('the store cannot be read')
    const { readNodes } = await import('../../upkeep/inspect-store.ts')
    const { nodes, skew } = await readNodes({ folder, url: database })
    const alive = nodes.filter(({ isAlive }) => isAlive)
    const dead = nodes.filter(({ isAlive }) => !isAlive)
    return [
      ...clockFinding('the clock of this machine', skew),
      ...alive.flatMap((node) => clockFinding(`the clock of ${node.host} (${node.url})`, node.skew)),
      ...difference(alive, 'version', 'finish the upgrade, one daemon after another'),
      ...difference(alive, 'root', 'name the same bucket for all, or the folder where each has mounted the same disk'),
      ...dead.map((node) => advice(describeNode(node), 'start it again, or leave it: other daemons do its work')),
    ]
  },
}

function clockFinding(whose: string, skew: number): Finding[] {
  if (Math.abs(skew) <= MAX_SKEW) return []
  const fix = 'set it, and turn on time synchronisation (timedatectl set-ntp true)'
  return [fault(`${whose} is ${describeSkew(skew)} that of the database`, fix)]
}

function difference(nodes: readonly NodeState[], field: 'version' | 'root', fix: string): Finding[] {
  const values = [...new Set(nodes.map((node) => node[field]))]
  if (values.length < 2) return []
  return [advice(`daemons have different ${field}s: ${values.join(', ')}`, fix)]
}
