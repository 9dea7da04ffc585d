import { constants } from 'node:os'

const QUOTA_EXCEEDED = -constants.errno.EDQUOT

/** The code of a system error, such as "ENOSPC". Node has no name for EDQUOT, a used-up quota of a disk, only its number. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  if (errno === QUOTA_EXCEEDED) return 'EDQUOT'
  return typeof code === 'string' ? code : undefined
}
