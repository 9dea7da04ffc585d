import { access, constants, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fault, type Check, type Finding, type Scene } from '../check.ts'

const SECRET = /^(store|sessions)\.|^daemon\.json$|\.tar$/
const OTHERS = 0o077

/** Whoever reads the store has the hashes of all passwords, and the key to sign tokens with. */
export const dataFolderCheck: Check = {
  name: 'data-folder',
  title: 'Data folder: there, writable, closed to others',
  async run({ folder }: Scene) {
    const found = await stat(folder).catch(() => undefined)
    if (found === undefined) return [fault(`there is no folder ${folder}`, 'filemgr init, or name another with --data')]
    if (!found.isDirectory()) return [fault(`${folder} is not a folder`, 'name a folder with --data')]
    const mine = process.geteuid?.() ?? found.uid
    const owner = [found.uid, mine].includes(0) || found.uid === mine ? [] : [foreign(folder, found.uid, mine)]
    return [...owner, ...(await openToOthers(folder, found.mode)), ...(await unwritable(folder))]
  },
}

function foreign(folder: string, owner: number, mine: number): Finding {
  return fault(`${folder} belongs to the account ${owner}, not to ${mine}`, `chown -R ${mine} ${folder}`)
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
