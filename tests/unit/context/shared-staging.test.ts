import { expect, it } from 'vitest'
import { beginSharedStaging } from '../../../src/context/staging-run.ts'
import { StagedNames } from '../../../src/storage/reserved-names.ts'
import { MemoryLeases } from '../../../src/store/memory-leases.ts'
import type { MessageListener } from '../../../src/store/store.ts'

/** Daemons that share leases and messages. Records which leases were left for others to take over. */
function cluster() {
  const leases = new MemoryLeases()
  const abandoned: string[] = []
  const listeners = new Set<MessageListener>()
  const acquire = async (name: string) => {
    const lease = await leases.acquire(name)
    return (
      lease && {
        ...lease,
        abandon: async () => {
          abandoned.push(name)
          await lease.abandon()
        },
      }
    )
  }
  const messages = {
    send(kind: string, content: unknown) {
      for (const listener of listeners) listener.received(kind, content)
      return true
    },
    subscribe(listener: MessageListener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const held = async () => (await leases.list('run/')).map(({ name }) => name)
  return { begin: () => beginSharedStaging({ leases: { acquire }, messages }), abandoned, held }
}

it('a file of a run that is over makes others look for what that run has left', async () => {
  const { begin, abandoned } = cluster()
  await using daemon = begin()
  const over = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' })
  daemon.names.leaveBehind(over.next())
  await expect.poll(() => abandoned).toContain('run/aaaaaaaa-bbbbbbbb')
})

it('a file that another daemon leaves behind makes the one that staged it leave its run to be swept', async () => {
  const { begin, abandoned, held } = cluster()
  await using other = begin()
  const first = begin()
  await expect.poll(held).toHaveLength(2)
  expect(first.names.isClean).toBe(true)
  other.names.leaveBehind(first.names.next())
  await expect.poll(() => first.names.isClean).toBe(false)
  expect(abandoned).toEqual([])
  await first[Symbol.asyncDispose]()
  expect(abandoned).toHaveLength(1)
})
