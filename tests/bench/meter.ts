import { readdirSync, readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const PAGE = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }))
const INTERVAL = 50

/** A process and its descendants. */
export interface Meter {
  /** Current memory in megabytes. Shared memory counts for each process. */
  memory(): number
  /** The cost of work: processor seconds, and peak memory. */
  during<T>(work: () => Promise<T>): Promise<{ result: T; cpu: number; memory: number }>
}

export function meterOf(pid: number): Meter {
  const memory = () => treeOf(pid).reduce((sum, { pages }) => sum + pages, 0) * (PAGE / 1e6)
  const cpu = () => treeOf(pid).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS
  return {
    memory,
    async during(work) {
      const before = cpu()
      let most = memory()
      const watch = setInterval(() => (most = Math.max(most, memory())), INTERVAL)
      try {
        const result = await work()
        return { result, cpu: cpu() - before, memory: Math.max(most, memory()) }
      } finally {
        clearInterval(watch)
      }
    },
  }
}

interface ProcessFigures {
  readonly ticks: number
  readonly pages: number
}

function treeOf(root: number): ProcessFigures[] {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const below = (pid: number): typeof processes => (children.get(pid) ?? []).flatMap((one) => [one, ...below(one.pid)])
  return [...processes.filter(({ pid }) => pid === root), ...below(root)]
}

/** A process may end while it is examined. */
function readStat(pid: number): (ProcessFigures & { pid: number; parent: number }) | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const at = (index: number) => fields[index] ?? 0
    // Ended children count too: an image process may end before it is examined.
    return { pid, parent: at(1), ticks: at(11) + at(12) + at(13) + at(14), pages: at(21) }
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
