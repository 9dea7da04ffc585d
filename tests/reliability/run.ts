/**
 * `npm run stress`: attacks real daemons, and writes what happened into docs/reference/reliability.md.
 *
 *   npm run stress                              faults in each operation, then ten minutes of mixed load (faults.c), then `memory`
 *   npm run stress -- memory                    daemons in control groups of 512 and 256 MiB
 *   npm run stress -- model                     half an hour of random operations that are compared with a model
 *   npm run stress -- model --daemons 3 --s3    the same with three daemons on PostgreSQL, in a bucket
 *   npm run stress -- model --trace FILE        adds each change and its answer to the file
 *   npm run stress -- --minutes 1 --only copy   one operation, and a short load. Shorter runs are not written down
 */
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import { judgeCell } from './judge-cell.ts'
import { runLoad } from './load.ts'
import { type ModelReport, runModel } from './model/run-model.ts'
import { OPERATIONS } from './operations.ts'
import { describeLoad, describeMachine, describeModel, describeTable, type Part, writePart } from './report.ts'
import { largeFolder, runSmallMachine, type SmallMachineReport } from './small-machine.ts'
import { openWorld } from './world.ts'

const LOAD_MINUTES = 10
const MODEL_MINUTES = 30
/** MiB. */
const SMALL_MACHINES = [512, 256]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    only: { type: 'string' },
    daemons: { type: 'string', default: '1' },
    s3: { type: 'boolean', default: false },
    trace: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const check = positionals.includes('model')
  ? checkModel
  : positionals.includes('memory')
    ? checkMemory
    : checkTableAndLoad
process.exitCode = (await check()) ? 0 : 1

async function checkModel(): Promise<boolean> {
  const minutes = Number(values.minutes ?? MODEL_MINUTES)
  const daemons = Number(values.daemons)
  const storage = values.s3 ? 's3' : 'disk'
  const report = await runModel({ minutes, daemons, storage, trace: values.trace, seed: Number(values.seed) })
  show(partOf(report), describeModel(report), { isWhole: report.minutes >= MODEL_MINUTES })
  return report.problems.length === 0
}

async function checkMemory(): Promise<boolean> {
  const machines: SmallMachineReport[] = []
  await using folder = await largeFolder()
  for (const size of SMALL_MACHINES) machines.push(await runSmallMachine(size, folder.path))
  show('Small machines', machines.map(describeMachine).join('\n\n'), { isWhole: true })
  return machines.every(({ problems }) => problems.length === 0)
}

async function checkTableAndLoad(): Promise<boolean> {
  const { rows, failures } = await fillTable()
  const isWhole = values.only === undefined
  if (isWhole) writePart('Faults and operations', describeTable(rows))
  const minutes = Number(values.minutes ?? LOAD_MINUTES)
  const load = minutes > 0 ? await runLoad(minutes * 60_000) : undefined
  if (load !== undefined) show('Mixed load', describeLoad(load), { isWhole: minutes >= LOAD_MINUTES })
  for (const failure of failures) console.log(`✗ ${failure}`)
  const isSmallEnough = !isWhole || (await checkMemory())
  return failures.length === 0 && isSmallEnough && (load === undefined || load.lost.length === 0)
}

function partOf({ daemons, storage }: ModelReport): Part {
  if (storage === 's3') return 'Random operations in a bucket'
  const parts = ['Random operations, one daemon', 'Random operations, two daemons'] as const
  return parts[daemons - 1] ?? 'Random operations, three daemons'
}

function show(part: Part, results: string, { isWhole }: { readonly isWhole: boolean }): void {
  console.log(`\n${results}`)
  if (isWhole) writePart(part, results)
}

async function fillTable(): Promise<{ rows: string[][]; failures: string[] }> {
  const [rows, failures]: [string[][], string[]] = [[], []]
  await using world = await openWorld()
  const operations = OPERATIONS.filter(({ name }) => values.only === undefined || name.includes(values.only))
  for (const operation of operations) {
    const row = [operation.name]
    for (const [name, fault] of Object.entries(FAULTS)) {
      const { wrong, outcome } = await judgeCell(world, operation, fault)
      row.push(wrong.length === 0 ? outcome : `**${wrong.join('; ')}**`)
      failures.push(...wrong.map((problem) => `${operation.name} / ${name}: ${problem} (${outcome})`))
      process.stdout.write(wrong.length === 0 ? '.' : 'F')
    }
    rows.push(row)
    process.stdout.write(` ${operation.name}\n`)
  }
  return { rows, failures }
}
