import { describe, expect, it } from 'vitest'
import type { Visitor } from '../../../../src/domain/accounts/actor.ts'
import { fail, type FilemgrError } from '../../../../src/domain/errors.ts'
import { createActorWatch } from '../../../../src/services/access/actor-watch.ts'
import { CLIENT, testContext } from '../../../helpers/test-context.ts'

/** A watch of a signed-in user, with what the store and the sessions would announce. */
async function watching() {
  await using context = await testContext()
  const { actor } = await context.services.auth.authenticate(await context.login('admin'), CLIENT)
  const announced = new Set<() => void>()
  const onChange = (listener: (...given: never[]) => void) => {
    announced.add(listener)
    return () => void announced.delete(listener)
  }
  const watch = createActorWatch({ store: { onChange }, sessions: { onChange } })
  const reasons: FilemgrError[] = []
  const user = { isThere: true, passes: true }
  const watched = {
    ...actor,
    user: () => (user.isThere ? actor.user() : fail('UNAUTHENTICATED', 'the account is gone')),
    passed: new Set([() => (user.passes ? undefined : fail('FORBIDDEN', 'no longer'))]),
  }
  const stop = watch.onRefused(watched, (reason) => void reasons.push(reason))
  return { watch, announced, reasons, user, stop, change: () => announced.forEach((listener) => listener()) }
}

describe('a watch of an actor', () => {
  it('says nothing while the work may go on', async () => {
    const { watch, reasons, change } = await watching()
    change()
    expect(reasons).toEqual([])
    watch[Symbol.dispose]()
  })

  it.each([
    ['isThere', 'UNAUTHENTICATED'],
    ['passes', 'FORBIDDEN'],
  ] as const)('says once why the work must end: %s', async (what, code) => {
    const { watch, reasons, user, change } = await watching()
    user[what] = false
    change()
    change()
    expect(reasons.map((reason) => reason.code)).toEqual([code])
    watch[Symbol.dispose]()
  })

  it('ends the work of a visitor whose link is gone', async () => {
    const { watch, reasons, change } = await watching()
    const visitor = { kind: 'visitor', link: () => fail('NOT_FOUND', 'there is no such share'), passed: new Set() }
    watch.onRefused(visitor as unknown as Visitor, (reason) => void reasons.push(reason))
    change()
    expect(reasons.map((reason) => reason.code)).toEqual(['NOT_FOUND'])
    watch[Symbol.dispose]()
  })

  it('notices by itself what expires', async () => {
    const { watch, reasons, user } = await watching()
    user.isThere = false
    await expect.poll(() => reasons.length).toBe(1)
    watch[Symbol.dispose]()
  })

  it('says nothing to who no longer listens, and hears nothing once it has ended', async () => {
    const { watch, announced, reasons, user, stop, change } = await watching()
    stop()
    user.isThere = false
    change()
    expect(reasons).toEqual([])
    watch[Symbol.dispose]()
    expect(announced.size).toBe(0)
  })
})
