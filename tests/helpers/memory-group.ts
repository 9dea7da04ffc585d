import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group of Linux whose processes have only so much memory together. Its processes must have ended when it is disposed. */
export interface MemoryGroup extends Disposable {
  readonly path: string
  /** Bytes, the most since it was made; with the page cache, which the kernel takes back. */
  peak(): number
  /** How often the kernel has killed a process of the group for its memory. */
  kills(): number
}

const V2 = '/sys/fs/cgroup'
const V1 = '/sys/fs/cgroup/memory'

/** @throws an error that says why this machine cannot make one */
export function memoryGroup(name: string, bytes: number): MemoryGroup {
  const failures: string[] = []
  for (const make of [makeV2, makeV1]) {
    try {
      return make(`filemgr-${name}-${process.pid}`, bytes)
    } catch (error) {
      failures.push((error as Error).message)
    }
  }
  throw new Error(`no control group with a limit of memory can be made here: ${failures.join('; ')}`)
}

function makeV2(name: string, bytes: number): MemoryGroup {
  const controllers = join(V2, 'cgroup.controllers')
  if (!existsSync(controllers)) throw new Error(`version 2 is not mounted at ${V2}`)
  if (!readFileSync(controllers, 'utf8').includes('memory')) throw new Error('version 2 has no memory controller')
  writeFileSync(join(V2, 'cgroup.subtree_control'), '+memory')
  return makeGroup(join(V2, name), { 'memory.max': bytes, 'memory.swap.max': 0 }, 'memory.peak', 'memory.events')
}

function makeV1(name: string, bytes: number): MemoryGroup {
  if (!existsSync(join(V1, 'memory.limit_in_bytes'))) throw new Error(`version 1 is not mounted at ${V1}`)
  return makeGroup(
    join(V1, name),
    { 'memory.limit_in_bytes': bytes },
    'memory.max_usage_in_bytes',
    'memory.oom_control',
  )
}

function makeGroup(path: string, limits: Readonly<Record<string, number>>, peak: string, events: string): MemoryGroup {
  mkdirSync(path)
  for (const [file, limit] of Object.entries(limits)) {
    // Without swap, the kernel has no such file.
    if (existsSync(join(path, file))) writeFileSync(join(path, file), String(limit))
  }
  return {
    path,
    peak: () => Number(readFileSync(join(path, peak), 'utf8')),
    kills: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(path, events), 'utf8'))?.[1] ?? 0),
    [Symbol.dispose]: () => rmdirSync(path),
  }
}

/** Puts the program after it into the group before it starts. */
export function withinGroup({ path }: MemoryGroup): string[] {
  return ['sh', '-c', 'echo $$ >"$0/cgroup.procs" && exec "$@"', path]
}
