import { randomBytes } from 'node:crypto'

/** The folder that keeps what was moved to the trash. */
export const TRASH = '.filemgr-trash'
const STAGED = /^\.(?:([0-9a-f]{8})-([0-9a-f]{8})-)?[\w-]{12}\.fm-tmp$/i

/** Who stages files: an installation, and one run of its daemon. Each is eight hexadecimal digits. */
export interface Stager {
  readonly installation: string
  readonly run: string
}

/**
 * Name of a file that is still being written; it lies in the folder of its target, so that a rename puts it in place.
 *
 * @param by undefined for a process that keeps nothing, and for a command: nobody would know its names again
 */
export function stagedName(by: Stager | undefined): string {
  const random = randomBytes(9).toString('base64url')
  return by === undefined ? `.${random}.fm-tmp` : `.${by.installation}-${by.run}-${random}.fm-tmp`
}

/** Whether a name is one of those under which bytes wait. */
export function isStagedName(name: string): boolean {
  return STAGED.test(name)
}

/** Who made a staged name; undefined where it does not say. Folded, for disks that keep names in capitals. */
export function stagerOf(name: string): Stager | undefined {
  const [, installation, run] = STAGED.exec(name.toLowerCase()) ?? []
  return installation === undefined || run === undefined ? undefined : { installation, run }
}

/** Names that belong to the storage: nobody sees them, reaches them or makes them. Folded, for disks that fold. */
export function isOwnName(name: string): boolean {
  return name.startsWith('.') && (STAGED.test(name) || name.toLowerCase() === TRASH)
}
