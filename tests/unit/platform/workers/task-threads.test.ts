import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HeavyMemory } from '../../../../src/platform/limits/heavy-memory.ts'
import { bytesOfThread } from '../../../../src/platform/limits/memory-plan.ts'
import { TaskThreads } from '../../../../src/platform/workers/task-threads.ts'

const entry = new URL('./task-threads-tasks.ts', import.meta.url)
const threads = () => readdirSync('/proc/self/task').length

describe('threads for tasks', () => {
  let pool: TaskThreads

  beforeEach(() => {
    pool = new TaskThreads({ entry, heap: 32, outOfMemory: 'too much memory', idle: 100 })
  })

  afterEach(async () => {
    await pool[Symbol.asyncDispose]()
  })

  it('answer what a task asks, and use a thread again', async () => {
    const started: unknown[] = []
    const note = (thread: unknown) => started.push(thread)
    process.on('worker', note)
    const upper = async (asked: unknown) => String(asked).toUpperCase()
    for (let count = 0; count < 3; count += 1)
      expect(await pool.run('ask', upper)).toEqual({ answers: ['A', 'B'], bytes: new Uint8Array([1, 2, 3]) })
    expect(started).toHaveLength(1)
    process.off('worker', note)
  })

  it('fail with the error of the task, or of an answer', async () => {
    const answer = async () => undefined
    await expect(pool.run('fail', answer)).rejects.toMatchObject({ code: 'TOO_LARGE', message: 'a bomb' })
    const problem = new Error('gone')
    await expect(pool.run('ask', async () => await Promise.reject(problem))).rejects.toBe(problem)
  })

  it('survive a task that needs more memory than it may', async () => {
    const running = pool.run('hoard', async () => undefined)
    await expect(running).rejects.toMatchObject({ code: 'TOO_LARGE', message: 'too much memory' })
    expect(await pool.run('ask', async (asked) => asked)).toMatchObject({ answers: ['a', 'b'] })
  })

  it('end a task that is aborted, and one that is not waited for', async () => {
    const before = threads()
    const abort = new AbortController()
    const running = pool.run('wait', async () => undefined, abort.signal)
    abort.abort()
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(threads).toBeLessThanOrEqual(before)
    const other = pool.run('wait', async () => undefined)
    await Promise.all([expect(other).rejects.toMatchObject({ code: 'CANCELLED' }), pool[Symbol.asyncDispose]()])
  })

  it('do not mistake what an earlier task asked for a question of the next one', async () => {
    const asked: unknown[] = []
    const answer = async (question: unknown) => void asked.push(question)
    expect(await pool.run('leave', answer)).toBe('left')
    await pool.run('ask', answer)
    expect(asked.filter((question) => question !== 'nothing')).toEqual(['a', 'b'])
  })
})

describe('the memory of threads for tasks', () => {
  const room = bytesOfThread(32)
  const echo = async (asked: unknown) => asked

  it('is kept while a thread is idle, until someone waits for it', async () => {
    const memory = new HeavyMemory({ max: room })
    await using pool = new TaskThreads({ entry, heap: 32, outOfMemory: 'too much memory', memory })
    await pool.run('ask', echo)
    expect(memory.tryAcquire(1)).toBeUndefined()
    const permit = await memory.acquire(room)
    const waiting = pool.run('ask', echo)
    permit[Symbol.dispose]()
    expect(await waiting).toMatchObject({ answers: ['a', 'b'] })
  })

  it('is given back by a task that is aborted, or needs too much', async () => {
    const memory = new HeavyMemory({ max: room })
    await using pool = new TaskThreads({ entry, heap: 32, outOfMemory: 'too much memory', memory })
    const stop = new AbortController()
    const aborted = pool.run('ask', async () => stop.abort(), stop.signal)
    await expect(aborted).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(pool.run('hoard', echo)).rejects.toMatchObject({ code: 'TOO_LARGE' })
    ;(await memory.acquire(room))[Symbol.dispose]()
  })
})
