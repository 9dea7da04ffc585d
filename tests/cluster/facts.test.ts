import { describe, expect, it, vi } from 'vitest'
import type { UserId } from '../../src/domain/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { systemRandom } from '../../src/platform/security/random.ts'
import { createSignInCodes } from '../../src/services/accounts/auth/sign-in-codes.ts'
import { createThrottle } from '../../src/services/accounts/auth/throttle.ts'
import type { SharedFacts } from '../../src/store/store.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

const ADMIN = 1 as UserId

async function machines(count: number): Promise<{ url: string; facts: SharedFacts[] }> {
  const url = await created()
  const opened = await Promise.all(Array.from({ length: count }, async () => await node(url)))
  return { url, facts: opened.flatMap(({ shared }) => shared?.facts ?? []) }
}

const throttles = (facts: readonly SharedFacts[]) =>
  facts.map((shared) => createThrottle({ facts: shared, clock: systemClock }))

describe('failed sign-ins', () => {
  const who = (number: number) => ({ account: 'bob', address: `198.51.100.${number}` })

  it('at several machines are counted together, and a successful one resets the count everywhere', async () => {
    const [one, other] = throttles((await machines(2)).facts)
    const wrong = async () => await Promise.resolve(undefined)
    for (let number = 0; number < 4; number++) await (number % 2 ? one : other)?.attempt(who(number), wrong)
    await one?.attempt(who(9), async () => await Promise.resolve(true))
    for (let number = 0; number < 5; number++) await (number % 2 ? one : other)?.attempt(who(number), wrong)
    for (const machine of [one, other])
      await expect(machine?.attempt(who(20), wrong)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    // From an address where bob has signed in before, failures elsewhere cause no delay, at any machine.
    await expect(other?.attempt(who(9), async () => await Promise.resolve(true))).resolves.toBe(true)
  })

  it('are not checked faster when they are sent to all machines at once', async () => {
    const all = throttles((await machines(3)).facts)
    let checked = 0
    const began = performance.now()
    const tries = Array.from({ length: 30 }, async (_, number) => {
      await all[number % 3]?.attempt(who(number), async () => {
        checked += 1
        await Promise.resolve(undefined)
      })
    })
    await Promise.allSettled(tries)
    // On a busy machine the last ones may come after the first delays, of a second each. Three counts would make fifteen.
    const delays = Math.floor((performance.now() - began) / 1000)
    expect(checked).toBeGreaterThanOrEqual(5)
    expect(checked).toBeLessThanOrEqual(Math.min(5 + delays, 14))
  })

  it('are not checked while the database is unreachable', async () => {
    const [throttle] = throttles((await machines(1)).facts)
    await postgres().stop()
    const check = vi.fn(async () => await Promise.resolve(true))
    await expect(throttle?.attempt(who(1), check)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    await postgres().start()
    expect(check).not.toHaveBeenCalled()
    await expect(throttle?.attempt(who(1), check)).resolves.toBe(true)
  })
})

describe('a sign-in code', () => {
  it('of one machine is valid once at another, however often it is sent', async () => {
    const { facts } = await machines(2)
    const [one, other] = facts.map((shared) => createSignInCodes({ facts: shared, random: systemRandom }))
    const [first = '', second = ''] = [await one?.issue(ADMIN), await one?.issue(ADMIN)]
    const found = await Promise.all([one, other, one, other].map(async (codes) => await codes?.redeem(first)))
    expect(found.filter((id) => id === ADMIN)).toHaveLength(1)
    await other?.clear()
    expect(await one?.redeem(second)).toBeUndefined()
  })
})

it('expired facts are deleted, also from the table, which never contains what was typed', async () => {
  const { url, facts } = await machines(1)
  const key = 'account/["typed"]'
  await facts[0]?.change([key], (draft) => draft.set(key, { failures: 1 }, 0))
  expect(await facts[0]?.change([key], (draft) => draft.get(key))).toBeUndefined()
  expect(await postgres().query(url, 'SELECT id FROM filemgr_facts')).not.toContain('typed')
  await facts[0]?.change(['x/'], (draft) => draft.set('x/', {}, 60_000))
  expect(await postgres().query(url, 'SELECT count(*) FROM filemgr_facts')).toBe('1')
})
