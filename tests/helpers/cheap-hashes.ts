import { vi } from 'vitest'

/** For passwords that are hashed in the process of the tests (`setupFiles`). */
vi.mock(import('../../src/platform/security/password-hasher.ts'), async (load) => {
  const real = await load()
  const cost = { memoryCost: 16, timeCost: 1, parallelism: 1 }
  return { ...real, createPasswordHasher: (options) => real.createPasswordHasher({ cost, ...options }) }
})
