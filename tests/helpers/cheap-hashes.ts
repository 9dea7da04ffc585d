import { vi } from 'vitest'

/** Makes hashes cheap for passwords that the process of the tests hashes (`setupFiles`). */
vi.mock(import('../../src/platform/security/password-hasher.ts'), async (load) => {
  const real = await load()
  const cost = { memoryCost: 16, timeCost: 1, parallelism: 1 }
  return { ...real, createPasswordHasher: (options) => real.createPasswordHasher({ cost, ...options }) }
})
