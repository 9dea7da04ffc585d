/**
 * `npm run bench`: compares filemgr with the least that this machine needs for the same work, alternating both. Writes
 * docs/reference/performance.md. Build first, and do not use the machine meanwhile.
 *
 *   npm run bench -- --only transfers,post           some kinds of rows, or some rows
 *   npm run bench -- --check                         fails if a goal is missed by more than a quarter
 *   npm run bench -- --scale --only tree             growth with many files, users and clients
 *   npm run bench -- --page                          what users of a browser wait for
 *   npm run bench -- --packages                      packages that filemgr does not use, fetched for the comparison
 *   npm run bench -- --processes                     several daemons behind one port; needs PostgreSQL, as the next
 *   npm run bench -- --nodes                         what requests cost with several daemons; needs "npm run test:cluster" once
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judge } from './judge.ts'
import { costTable, LEGEND as COST_LEGEND } from './nodes/cost-table.ts'
import { costsOf, type Kind } from './nodes/costs.ts'
import { hasProgram } from './processes.ts'
import { curveTable, table, withSection, type MeasuredRow } from './report.ts'
import type { Row, Sample } from './row.ts'
import { archiveRows } from './rows/archives.ts'
import { listingRows } from './rows/listings.ts'
import { memoryRows } from './rows/memory.ts'
import { manyFileRows } from './rows/many-files.ts'
import { neighbourRows } from './rows/neighbours.ts'
import { operationRows } from './rows/operations.ts'
import { smallAnswerRows } from './rows/small-answers.ts'
import { packageRows } from './rows/packages.ts'
import { processRows } from './rows/processes.ts'
import { startRows } from './rows/start.ts'
import { thumbnailRows } from './rows/thumbnails.ts'
import { transferRows } from './rows/transfers.ts'
import { pageRows } from './page/page-rows.ts'
import { accounts } from './scale/accounts.ts'
import { clients } from './scale/clients.ts'
import { curvesOf } from './scale/curve.ts'
import { oneFolder } from './scale/one-folder.ts'
import { roots } from './scale/roots.ts'
import { streams } from './scale/streams.ts'
import { tree } from './scale/tree.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

const REPORT = join(import.meta.dirname, '../../docs/reference/performance.md')
const HEAD = `# Performance

Made by \`npm run bench\`, section by section.

filemgr, and the least that the machine needs for the same work, measured alternately: the best of all repeats (and the
median). All data is in the page cache; client and server share the processors. CPU is the minimum of the repeats, for the
daemon and its children; memory is their peak since the first row of a run, with shared memory counted for each process. The
goals come from the fastest comparable programs.
`
const PAGE_LEGEND = `Visits and scrolling in Chromium with a six times slower processor and a connection of 1.6 Mbit/s and 150 ms; the upload at
full speed.`
const KINDS: Readonly<Record<string, RowsOf>> = {
  'Listings and search': listingRows,
  Transfers: transferRows,
  Archives: archiveRows,
  Thumbnails: thumbnailRows,
  'Small operations': operationRows,
  'Operations on many files': manyFileRows,
  'Small answers': smallAnswerRows,
  'Small answers beside other work': neighbourRows,
  'Start-up': startRows,
  Memory: memoryRows,
}
type RowsOf = (workbench: Workbench) => Row[]
/** Tolerance for other programs on the machine. */
const SLACK = 1.25

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    repeats: { type: 'string', default: '5' },
    check: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    packages: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
    nodes: { type: 'boolean', default: false },
  },
})
const wanted = values.only?.toLowerCase().split(',') ?? ['']
const isWanted = ({ name }: { readonly name: string }) => wanted.some((part) => name.toLowerCase().includes(part))
const load = loadavg()[0] ?? 0

if (values.scale) await measureScales()
else if (values.nodes) await measureNodes()
else {
  const measured = await measureKinds(kinds())
  if (values.check) process.exitCode = reportMisses(measured) === 0 ? 0 : 1
}

function kinds(): Readonly<Record<string, RowsOf>> {
  if (values.page) return { 'The page': pageRows }
  if (values.processes) return { 'Several processes': processRows }
  return values.packages ? { 'Packages that are not used': packageRows } : KINDS
}

async function measureScales(): Promise<void> {
  await using workbench = await openWorkbench()
  for (const scale of [tree, oneFolder, accounts, roots, clients, streams].filter(isWanted)) {
    const curves = await curvesOf(workbench, scale, (size, figures) => {
      console.log(size, figures.map(([name, value, unit]) => `${name} ${value.toPrecision(3)} ${unit}`).join(', '))
    })
    const text = curveTable(curves)
    console.log(`${scale.name}\n${text}\n`)
    writeSection(`Scale: ${scale.name}`, text)
  }
}

async function measureNodes(): Promise<void> {
  const of = async (kind: Kind) => [await costsOf(kind, 1), await costsOf(kind, 2), await costsOf(kind, 3)]
  const measured = { alone: await costsOf('alone', 1), disk: await of('disk'), s3: await of('s3') }
  const text = costTable(measured)
  console.log(text)
  writeSection('Several daemons', `${COST_LEGEND}\n\n${text}`)
}

/** Kinds measured as a whole get their section of the report. */
async function measureKinds(kinds: Readonly<Record<string, RowsOf>>): Promise<MeasuredRow[]> {
  await using workbench = await openWorkbench()
  const results: MeasuredRow[] = []
  for (const [kind, rowsOf] of Object.entries(kinds)) {
    const rows = rowsOf(workbench)
    const some = isWanted({ name: kind }) ? rows : rows.filter(isWanted)
    const measured: MeasuredRow[] = []
    for (const row of some) {
      measured.push(await measure(row))
      console.log(table(measured.slice(-1)).split('\n').at(-1))
    }
    if (some.length === rows.length)
      writeSection(kind, values.page ? `${PAGE_LEGEND}\n\n${table(measured)}` : table(measured))
    results.push(...measured)
  }
  return results
}

/** Runs both alternately, so that other load on the machine affects both. */
async function measure({ name, unit, goal, limit, repeats = Number(values.repeats), run }: Row): Promise<MeasuredRow> {
  const missing = limit?.needs !== undefined && !hasProgram(limit.needs) ? limit.needs : undefined
  const [samples, limits]: [Sample[], number[]] = [[], []]
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    if (limit !== undefined && missing === undefined) limits.push(await limit.run())
    samples.push(await run())
  }
  return {
    name,
    unit,
    goal,
    samples,
    limits,
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

function writeSection(title: string, text: string): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `Linux ${release()}, ${cpus().length} processors (${cpus()[0]?.model.trim() ?? ''}), ${Math.round(totalmem() / 2 ** 30)} GiB`
  const stamp = `${commit}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${machine}, Node.js ${process.versions.node}, load average ${load.toFixed(1)} at the start.`
  const report = existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : HEAD
  writeFileSync(REPORT, withSection(report, title, `${stamp}\n\n${text}`))
}
