import { RECOVERY_CODES } from '../../../domain/accounts/factors.ts'
import type { Random } from '../../../platform/security/random.ts'
import { hashRecoveryCode, newRecoveryCode } from '../../../platform/security/recovery-codes.ts'

export interface Recovery {
  /** Their salt. */
  readonly handle: string
  readonly hashes: string[]
}

export async function newRecovery(
  random: Random,
  handle: string,
): Promise<Recovery & { readonly codes: readonly string[] }> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(random))
  const hashes = await Promise.all(codes.map(async (code) => await hashRecoveryCode(code, handle)))
  return { handle, hashes, codes }
}
