/**
 * `npm run bench`: filemgr beside the least that this machine needs for the same work, in turns. Writes
 * a report into config/reference. Build first, and leave the machine alone meanwhile.
 *
 *   npm run bench -- --only list,post --repeats 3    some rows, no report
 *   npm run bench -- --check                         fails where a goal is missed by more than a quarter
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judge } from './judge.ts'
import { hasProgram } from './processes.ts'
import { table, type MeasuredRow } from './report.ts'
import type { Row, Sample } from './row.ts'
import { archiveRows } from './rows/archives.ts'
import { listingRows } from './rows/listings.ts'
import { memoryRows } from './rows/memory.ts'
import { neighbourRows } from './rows/neighbours.ts'
import { smallAnswerRows } from './rows/small-answers.ts'
import { startRows } from './rows/start.ts'
import { thumbnailRows } from './rows/thumbnails.ts'
import { transferRows } from './rows/transfers.ts'
import { openWorkbench } from './workbench.ts'

const REPORT = join(import.meta.dirname, '../../config/reference/performance.md')
/** What other programs on the machine may cost. */
const SLACK = 1.25

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    repeats: { type: 'string', default: '5' },
    check: { type: 'boolean', default: false },
  },
})
const wanted = values.only?.toLowerCase().split(',')
const load = loadavg()[0] ?? 0
const measured = await measureAll()
console.log(`\n${table(measured)}`)
if (wanted === undefined) writeFileSync(REPORT, reportOf(measured))
if (values.check) process.exitCode = reportMisses(measured) === 0 ? 0 : 1

async function measureAll(): Promise<MeasuredRow[]> {
  await using workbench = await openWorkbench()
  const rows = [
    listingRows,
    transferRows,
    archiveRows,
    thumbnailRows,
    smallAnswerRows,
    neighbourRows,
    startRows,
    memoryRows,
  ]
    .flatMap((rowsOf) => rowsOf(workbench))
    .filter(({ name }) => wanted === undefined || wanted.some((part) => name.toLowerCase().includes(part)))
  const results: MeasuredRow[] = []
  for (const row of rows) {
    results.push(await measure(row))
    console.log(table(results.slice(-1)).split('\n').at(-1))
  }
  return results
}

/** In turns, so that what else the machine does falls on both. */
async function measure({ name, unit, goal, limit, repeats = Number(values.repeats), run }: Row): Promise<MeasuredRow> {
  const missing = limit?.needs !== undefined && !hasProgram(limit.needs) ? limit.needs : undefined
  const [samples, limits]: [Sample[], number[]] = [[], []]
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    if (limit !== undefined && missing === undefined) limits.push(await limit.run())
    samples.push(await run())
  }
  return {
    ...{ name, unit, goal, samples, limits },
    ...(limit === undefined ? {} : { limit: limit.name }),
    ...(missing === undefined ? {} : { missing }),
  }
}

function reportMisses(rows: readonly MeasuredRow[]): number {
  const misses = rows.flatMap((row) =>
    judge(row)
      .filter(({ excess }) => excess > SLACK)
      .map((verdict) => ({ row, ...verdict })),
  )
  for (const { row, kind, goal, reached } of misses)
    console.log(`✗ ${row.name}: ${kind} ${reached.toPrecision(3)}, goal ${goal}`)
  return misses.length
}

function reportOf(rows: readonly MeasuredRow[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return `# Performance

Made by \`npm run bench\` at ${commit} on ${new Date().toISOString().slice(0, 10)}, on Linux ${release()}, ${cpus().length} processors (${cpus()[0]?.model.trim() ?? ''}),
${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}, load average ${load.toFixed(1)} at the start.

filemgr and the least that this machine needs for the same work, in turns: the best of all repeats (and their median). All
data is in the page cache, client and server share the processors. CPU is that of the daemon and all its children, the least
of the repeats; memory is the most that they had, where what they share counts for each of them. The goals come
from the fastest of the programs that do the same.

${table(rows)}
`
}
