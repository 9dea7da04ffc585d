import { access, constants, stat } from 'node:fs/promises'
import { identityOf } from '../../../platform/served-root.ts'
import { fault, type Check, type Scene } from '../check.ts'

export const rootCheck: Check = {
  name: 'root',
  title: 'Served folder: there, the same as at the start of the daemon, readable, writable',
  async run({ options: { root, readOnly }, daemon }: Scene) {
    const served = daemon?.root
    if (served !== undefined && (await identityOf(served.path)) !== served.identity) {
      const problem = `at ${served.path} lies another folder than when the daemon started, or none`
      const fix = 'mount the disk, or bring the folder back; restart the daemon if this folder is meant'
      return [fault(`${problem}: a disk was mounted or unmounted, or the folder was moved`, fix)]
    }
    const another = 'name an existing folder: filemgr server set root=FOLDER'
    const found = await stat(root).catch((error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown error')
    if (found === 'ENOENT' || found === 'ENOTDIR') return [fault(`there is no folder ${root}`, another)]
    if (typeof found === 'string') return [fault(`${root} cannot be reached (${found})`, another)]
    if (!found.isDirectory()) return [fault(`${root} is not a folder`, another)]
    if (!(await may(root, constants.R_OK | constants.X_OK))) {
      return [fault(`this account may not read ${root}`, 'give the account that runs filemgr access to it')]
    }
    if (readOnly || (await may(root, constants.W_OK))) return []
    const fix = 'give the account that runs filemgr access, or say that it is meant: filemgr server set readOnly=true'
    return [fault(`this account may not write to ${root}: every upload fails`, fix)]
  },
}

async function may(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  )
}
