import { randomBytes } from 'node:crypto'

/** The folder that keeps what was moved to the trash. */
export const TRASH = '.filemgr-trash'
const STAGED = /^\.[\w-]{12}\.fm-tmp$/i

/** Name of a file that is still being written; it lies in the folder of its target, so that a rename puts it in place. */
export function stagedName(): string {
  return `.${randomBytes(9).toString('base64url')}.fm-tmp`
}

/** Whether a name is one of those under which bytes wait. */
export function isStagedName(name: string): boolean {
  return STAGED.test(name)
}

/** Names that belong to the storage: nobody sees them, reaches them or makes them. Folded, for disks that fold. */
export function isOwnName(name: string): boolean {
  return name.startsWith('.') && (STAGED.test(name) || name.toLowerCase() === TRASH)
}
