import { vi } from 'vitest'

/**
 * Waits until the check passes; for a value alone, use `expect.poll`. As there, the limit is for what never happens: a machine
 * with twenty times the work still passes.
 */
export async function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  return await vi.waitFor(check, { timeout: 300_000, interval: 20 })
}
