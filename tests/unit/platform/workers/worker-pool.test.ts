import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HeavyMemory } from '../../../../src/platform/limits/heavy-memory.ts'
import { bytesOfThread } from '../../../../src/platform/limits/memory-plan.ts'
import { WorkerPool } from '../../../../src/platform/workers/worker-pool.ts'

const entry = new URL('./worker-pool-jobs.ts', import.meta.url)

function countInput(parts: number) {
  const made = new SharedArrayBuffer(8)
  return { input: { parts, made }, made: new Int32Array(made) }
}

async function resultOf(job: AsyncGenerator<unknown, unknown, void>): Promise<unknown> {
  for (;;) {
    const { done, value } = await job.next()
    if (done) return value
  }
}

function threads(): number {
  return readdirSync('/proc/self/task').length
}

describe('a pool of workers', () => {
  let pool: WorkerPool

  beforeEach(() => {
    pool = new WorkerPool({ entry, size: 2, heap: 32, idle: 100 })
  })

  afterEach(async () => {
    await pool[Symbol.asyncDispose]()
  })

  it('hands over parts in order, then the result', async () => {
    const { input } = countInput(50)
    const job = pool.run('count', input)
    const parts: unknown[] = []
    for (let next = await job.next(); ; next = await job.next()) {
      if (next.done) {
        expect(next.value).toBe('counted')
        break
      }
      parts.push(...(next.value as Uint8Array))
    }
    expect(parts).toEqual(Array.from({ length: 50 }, (_, i) => i))
  })

  it('reuses the memory of a part after the consumer has taken the next one', async () => {
    const [numbers, usedBefore]: [number[], number[]] = [[], []]
    for await (const part of pool.runLent('lent', 100)) {
      const [number = 0, used = 0] = part as Uint8Array
      numbers.push(number)
      usedBefore.push(used)
    }
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    // Eight parts wait, the consumer reads one and the job fills one.
    expect(usedBefore.filter((used) => used === 0).length).toBeLessThanOrEqual(10)
  })

  it('pauses a job that is far ahead of its consumer, while others go on', async () => {
    const slow = countInput(1000)
    const jobs = [pool.run('count', slow.input), pool.run('count', countInput(1000).input)]
    for (const job of jobs) await job.next()
    for (let i = 0; i < 8; i += 1) expect(await resultOf(pool.run('spin', 1))).toBe('spun')
    expect(slow.made[0]).toBe(8)
    await jobs[0]?.next()
    await expect.poll(() => slow.made[0]).toBe(9)
    for (const job of jobs) await job.return(undefined)
  })

  it('starts no more jobs while those that have started wait for busy consumers', async () => {
    const inputs = Array.from({ length: 20 }, () => countInput(50))
    const isUnderWay = ({ made }: ReturnType<typeof countInput>) => made[0] !== 0 && made[1] === 0
    let most = 0
    // Filters twice: a job may end and another begin during the first pass; those that pass both were under way together.
    const count = () => inputs.filter(isUnderWay).filter(isUnderWay).length
    const consume = async ({ input }: ReturnType<typeof countInput>) => {
      for await (const _part of pool.run('count', input)) most = Math.max(most, count())
    }
    await Promise.all(inputs.map(consume))
    // Four in each thread.
    expect(most).toBeLessThanOrEqual(8)
  })

  it('does not wait long for slow consumers', async () => {
    const slow = Array.from({ length: 8 }, () => pool.run('count', countInput(1000).input))
    for (const job of slow) await job.next()
    expect(await resultOf(pool.run('spin', 1))).toBe('spun')
    for (const job of slow) await job.return(undefined)
  })

  it('releases a job when its consumer leaves', async () => {
    const { input, made } = countInput(1000)
    for await (const part of pool.run('count', input)) {
      expect(part).toEqual(new Uint8Array([0]))
      break
    }
    expect(made[1]).toBe(1)
  })

  it('releases a job when it is aborted', async () => {
    const { input, made } = countInput(1000)
    const abort = new AbortController()
    const job = pool.run('count', input, abort.signal)
    await job.next()
    abort.abort()
    await expect(resultOf(job)).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(made[1]).toBe(1)
    await expect(resultOf(pool.run('spin', 1, abort.signal))).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('aborts a job that still waits for its turn', async () => {
    const busy = Array.from({ length: 8 }, async () => await resultOf(pool.run('spin', 150)))
    const abort = new AbortController()
    const waiting = resultOf(pool.run('count', countInput(1).input, abort.signal))
    abort.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
    await Promise.all(busy)
  })

  it('lets short jobs overtake long ones', async () => {
    const ended: string[] = []
    const long = ['a', 'b', 'c'].map(async (name) => {
      await resultOf(pool.run('spin', 600))
      ended.push(name)
    })
    await resultOf(pool.run('spin', 1))
    ended.push('short')
    await Promise.all(long)
    expect(ended[0]).toBe('short')
  })

  it('passes errors on with their codes', async () => {
    await expect(resultOf(pool.run('breakOff', 'ours'))).rejects.toMatchObject({
      name: 'FilemgrError',
      code: 'NO_SPACE',
      message: 'no space',
      details: { retryAfter: 3 },
    })
    await expect(resultOf(pool.run('breakOff', 'system'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(resultOf(pool.run('none', 1))).rejects.toThrow('no job is called none')
    await expect(resultOf(pool.run('loadLate', true))).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(await resultOf(pool.run('loadLate', false))).toBe('spun')
  })

  it('survives a job that needs more memory than it may', async () => {
    await expect(resultOf(pool.run('breakOff', 'memory'))).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(await resultOf(pool.run('spin', 1))).toBe('spun')
  })

  it('does not know which of several jobs was too large for their thread', async () => {
    await using single = new WorkerPool({ entry, size: 1, heap: 32 })
    const jobs = [single.run('spin', 10_000), single.run('breakOff', 'memory')].map(resultOf)
    for (const job of jobs) await expect(job).rejects.toMatchObject({ code: 'BUSY' })
  })

  it('starts threads when they are needed and ends them when they are not', async () => {
    const before = threads()
    expect(await resultOf(pool.run('spin', 1))).toBe('spun')
    expect(threads()).toBeGreaterThan(before)
    await expect.poll(threads).toBeLessThanOrEqual(before)
    expect(await resultOf(pool.run('spin', 1))).toBe('spun')
  })

  it('runs at a lower priority than the main thread, which keeps its own', async () => {
    const own = getPriority()
    await using modest = new WorkerPool({ entry, size: 1, heap: 32, niceness: 7 })
    expect(await resultOf(modest.run('priority', 1))).toBe(Math.max(own, 7))
    expect(await resultOf(pool.run('priority', 1))).toBe(own)
    expect(getPriority()).toBe(own)
  })

  it('cancels its jobs when it is disposed of', async () => {
    const running = resultOf(pool.run('spin', 60_000))
    const refused = expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
    await setTimeout(50)
    await pool[Symbol.asyncDispose]()
    await refused
    await expect(resultOf(pool.run('spin', 1))).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('ends a thread even in a step that never returns', async () => {
    const memory = new SharedArrayBuffer(4)
    const refused = expect(resultOf(pool.run('hang', memory))).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => new Int32Array(memory)[0]).toBe(1)
    await pool[Symbol.asyncDispose]()
    await refused
  })
})

describe('the memory of the threads of a pool', () => {
  const heap = 32
  const room = bytesOfThread(heap)

  it('is taken while they live: a further one starts only if there is some left', async () => {
    const memory = new HeavyMemory({ max: room * 1.5 })
    await using pool = new WorkerPool({ entry, size: 2, heap, memory })
    const before = threads()
    const jobs = [pool.run('spin', 100), pool.run('spin', 100)]
    expect(await Promise.all(jobs.map(resultOf))).toEqual(['spun', 'spun'])
    expect(threads() - before).toBeLessThanOrEqual(1)
    expect(memory.tryAcquire(room)).toBeUndefined()
  })

  it('goes to others who wait, once the thread is idle', async () => {
    const memory = new HeavyMemory({ max: room })
    await using pool = new WorkerPool({ entry, size: 1, heap, memory })
    await using other = new WorkerPool({ entry, size: 1, heap, memory })
    const job = pool.run('answer', 'first')
    await job.next()
    const waiting = resultOf(other.run('spin', 1))
    const further = resultOf(pool.run('spin', 1))
    await resultOf(job)
    expect(await Promise.all([waiting, further])).toEqual(['spun', 'spun'])
  })

  it('is not taken for a job that is aborted while it waits, which never starts', async () => {
    const memory = new HeavyMemory({ max: room })
    const held = await memory.acquire(room)
    await using pool = new WorkerPool({ entry, size: 1, heap, memory })
    const leaving = new AbortController()
    const { input, made } = countInput(5)
    const waiting = resultOf(pool.run('count', input, leaving.signal))
    leaving.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
    held[Symbol.dispose]()
    expect(memory.tryAcquire(room)).toBeDefined()
    expect(made[0]).toBe(0)
  })

  it('is given back when a thread runs out of its heap', async () => {
    const memory = new HeavyMemory({ max: room })
    await using pool = new WorkerPool({ entry, size: 1, heap, memory })
    await expect(resultOf(pool.run('breakOff', 'memory'))).rejects.toMatchObject({ code: 'TOO_LARGE' })
    ;(await memory.acquire(room))[Symbol.dispose]()
    expect(await resultOf(pool.run('spin', 1))).toBe('spun')
  })

  it('stays with work of several jobs until all have ended', async () => {
    const memory = new HeavyMemory({ max: room })
    await using pool = new WorkerPool({ entry, size: 1, heap, memory })
    const kept = await pool.keep()
    const waiting = memory.acquire(room)
    for (let job = 0; job < 3; job += 1) expect(await resultOf(pool.run('spin', 1))).toBe('spun')
    kept[Symbol.dispose]()
    ;(await waiting)[Symbol.dispose]()
  })
})

it('a pool runs so many jobs of a kind at a time, the others in order, and other kinds beside them', async () => {
  await using pool = new WorkerPool({ entry, size: 2, heap: 32, jobs: { count: 1 } })
  const [one, other] = [countInput(1), countInput(1)]
  const first = pool.run('count', one.input)
  await first.next()
  const second = pool.run('count', other.input)
  const begun = second.next()
  expect(await resultOf(pool.run('spin', 50))).toBe('spun')
  expect(other.made[0]).toBe(0)
  await first.return(undefined)
  await begun
  expect(other.made[0]).toBe(1)
  await second.return(undefined)
})
