import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as substitute from '../../../../ui/src/lib/typebox-substitute.ts'

/** All schemas of the API, as JSON. */
async function contract(): Promise<unknown> {
  const { OPERATIONS } = await import('../../../../src/api/index.ts')
  const { ClientConfig } = await import('../../../../src/domain/settings/client-config.ts')
  const { Settings } = await import('../../../../src/domain/settings/settings.ts')
  const { UserDefaults, UserPatch } = await import('../../../../src/domain/accounts/user.ts')
  return JSON.parse(JSON.stringify({ OPERATIONS, ClientConfig, Settings, UserDefaults, UserPatch }))
}

describe('the replacement for typebox in the page', () => {
  it('creates the same JSON Schema for the whole API', async () => {
    const real = await contract()
    vi.resetModules()
    vi.doMock('typebox', () => substitute)
    // Other test files run in this process, too.
    onTestFinished(() => {
      vi.doUnmock('typebox')
      vi.resetModules()
    })
    expect(await contract()).toEqual(real)
    expect(JSON.stringify(real).length).toBeGreaterThan(10_000)
  })
})
