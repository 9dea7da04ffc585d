import { chown, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../domain/errors.ts'
import { isBucketUrl } from '../../domain/server/addresses.ts'
import { packageFile } from '../../platform/version.ts'
import { describeLack, remedyOf, serviceAccount } from '../doctor/daemon-account.ts'
import { unwritable } from '../../platform/files/error-code.ts'
import { requireSystemd, runSystem, succeeds } from './system.ts'
import { unitText, type UnitInput } from './unit.ts'

export const UNIT = 'filemgr.service'

export interface ServicePlan extends Omit<UnitInput, 'program'> {
  /** Where systemd looks for units of the administrator. */
  readonly unitFolder: string
}

/** The unit for this installation. @throws INVALID_INPUT */
export async function plannedUnit(plan: ServicePlan): Promise<string> {
  const template = await readFile(packageFile(`docs/deploy/${UNIT}`), 'utf8')
  return unitText(template, { ...plan, program: packageFile('bin/filemgr') })
}

/**
 * Creates the account and the folders, unless they exist, and checks that the account can run this filemgr and read the folder.
 *
 * @returns what to tell the operator: the account may not write to the folder
 * @throws FORBIDDEN if it cannot, or if the data folder belongs to another account
 */
export async function prepareAccount({ account, dataFolder, root, given }: ServicePlan): Promise<string | undefined> {
  await requireSystemd()
  if (!(await succeeds('id', ['-u', account]))) {
    const shell = ['--shell', '/usr/sbin/nologin']
    await runSystem('useradd', ['--system', '--user-group', '--home-dir', dataFolder, ...shell, account])
  }
  const program = packageFile('bin/filemgr')
  if (!(await succeeds('runuser', ['-u', account, '--', program, 'version']))) {
    fail('FORBIDDEN', `the account ${account} cannot run ${program}; install filemgr where every account can read it`)
  }
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (id) => Number(await runSystem('id', [id, account]))))
  const owner = { uid: uid ?? NaN, gid: gid ?? NaN }
  const found = await makeFolder(dataFolder, 0o700, owner)
  if (found !== owner.uid) {
    fail('FORBIDDEN', `${dataFolder} belongs to another account; correct it with "chown -R ${account}: ${dataFolder}"`)
  }
  if (isBucketUrl(root)) return undefined
  await makeFolder(root, 0o750, owner)
  const served = await serviceAccount(owner.uid)
  const unread = await served.lacks(root, 'read')
  if (unread !== undefined)
    fail('FORBIDDEN', `${describeLack(served, unread)}: give it access with "${remedyOf(served, unread, root)}"`)
  const unwritten = given.readOnly === true ? undefined : await served.lacks(root, 'write')
  if (unwritten === undefined) return undefined
  return `${describeLack(served, unwritten)}, so it serves it read-only: give it access with "${remedyOf(served, unwritten, root)}"`
}

/** @returns the id of the owner */
async function makeFolder(path: string, mode: number, { uid, gid }: { uid: number; gid: number }): Promise<number> {
  const made = await mkdir(path, { recursive: true, mode })
  if (made !== undefined) await chown(path, uid, gid)
  return (await stat(path)).uid
}

/** Writes the unit, and starts the service now and at every boot. @throws UNAVAILABLE if it does not start */
export async function installUnit(text: string, { unitFolder }: ServicePlan): Promise<void> {
  const path = join(unitFolder, UNIT)
  try {
    await writeFile(`${path}.new`, text, { mode: 0o644 })
    await rename(`${path}.new`, path)
  } catch (error) {
    throw unwritable(path, error, 'FORBIDDEN')
  }
  await runSystem('systemctl', ['daemon-reload'])
  await runSystem('systemctl', ['enable', UNIT])
  if (!(await succeeds('systemctl', ['restart', UNIT]))) {
    fail('UNAVAILABLE', `the service is installed but does not start; "journalctl -u ${UNIT}" says why`)
  }
}
