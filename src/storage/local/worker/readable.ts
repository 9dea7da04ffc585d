import { errnoCode } from '../os-error.ts'

/** Undefined for a folder that is gone, swapped, or not for us to read: it is listed, its content is not. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(errnoCode(error) ?? '')) return undefined
    throw error
  }
}
