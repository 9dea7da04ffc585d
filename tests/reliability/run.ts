/**
 * `npm run stress`: a table of faults and operations, then a mixed load with kills and a full disk. Both run against a real
 * daemon whose system calls fail (faults.c). Writes config/reference/reliability.md with the machine it ran on.
 *
 *   npm run stress                           everything; ten minutes of load
 *   npm run stress -- --minutes 1 --only copy    one operation, a short load, no report
 *   npm run stress -- model --minutes 30         random operations that are compared with a model, no report
 *   npm run stress -- model --daemons 2          the same with two daemons on PostgreSQL
 *   npm run stress -- memory                     daemons in control groups of 512 and 256 MiB, no report
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import { judgeCell } from './judge-cell.ts'
import { runLoad, type LoadReport } from './load.ts'
import { type ModelReport, runModel } from './model/run-model.ts'
import { OPERATIONS } from './operations.ts'
import { largeFolder, runSmallMachine, type SmallMachineReport } from './small-machine.ts'
import { openWorld } from './world.ts'

const REPORT = join(import.meta.dirname, '../../config/reference/reliability.md')
/** MiB. */
const SMALL_MACHINES = [512, 256]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string' },
    daemons: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const minutes = Number(values.minutes)
const check = positionals.includes('model')
  ? checkModel
  : positionals.includes('memory')
    ? checkMemory
    : checkTableAndLoad
process.exitCode = (await check()) ? 0 : 1

async function checkModel(): Promise<boolean> {
  const report = await runModel({ minutes, daemons: Number(values.daemons), seed: Number(values.seed) })
  console.log(`\n${describeModel(report)}`)
  return report.problems.length === 0
}

async function checkMemory(): Promise<boolean> {
  const machines = await runSmallMachines()
  return machines.every(({ problems }) => problems.length === 0)
}

async function runSmallMachines(): Promise<SmallMachineReport[]> {
  const machines: SmallMachineReport[] = []
  await using folder = await largeFolder()
  for (const size of SMALL_MACHINES) machines.push(await runSmallMachine(size, folder.path))
  console.log(`\n${machines.map(describeMachine).join('\n\n')}`)
  return machines
}

async function checkTableAndLoad(): Promise<boolean> {
  const { rows, failures } = await fillTable()
  const load = minutes > 0 ? await runLoad(minutes * 60_000) : undefined
  if (load !== undefined) console.log(describeLoad(load))
  for (const failure of failures) console.log(`✗ ${failure}`)
  const machines = values.only === undefined ? await runSmallMachines() : []
  if (values.only === undefined && load !== undefined) writeFileSync(REPORT, reportOf(rows, load, machines))
  const isSmallEnough = machines.every(({ problems }) => problems.length === 0)
  return failures.length === 0 && isSmallEnough && (load === undefined || load.lost.length === 0)
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

function describeModel({ minutes, daemons, seed, acknowledged, files, disturbances, problems }: ModelReport): string {
  const disturbed = Object.entries(disturbances).map(([name, count]) => `${count} times ${name}`)
  return [
    `${daemons} daemon(s), ${minutes} minutes, seed ${seed}: ${acknowledged} acknowledged changes, ${files} files;`,
    `${disturbed.join(', ')}; ${problems.length} problems.`,
    ...problems.slice(0, 30).map((problem) => `✗ ${problem}`),
  ].join('\n')
}

function describeLoad(load: LoadReport): string {
  const { minutes, clients, kills, fullDisk, frozenDisk, acknowledged, lost, memory, descriptors } = load
  return [
    `${clients} clients for ${minutes} minutes, ${kills} times kill -9, ${fullDisk} times a full data disk, ${frozenDisk} times a frozen second disk:`,
    `${acknowledged} acknowledged changes, ${lost.length} lost or damaged;`,
    `memory ${memory.first} MiB at first and ${memory.last} MiB at the end, descriptors ${descriptors.first} and ${descriptors.last}.`,
    ...lost.slice(0, 20).map((problem) => `- **${problem}**`),
  ].join('\n')
}

function describeMachine({ size, memory, probes, answers, problems }: SmallMachineReport): string {
  const milliseconds = (time: number) => Math.round(time)
  return [
    `${size} MiB: the daemon had ${memory.most} MiB at most, and ${memory.idle} MiB a minute later;`,
    `${probes.count} small requests took ${milliseconds(probes.median)} ms (median) and ${milliseconds(probes.slowest)} ms at most;`,
    `${Object.entries(answers)
      .map(([what, count]) => `${what} × ${count}`)
      .join(', ')}; ${problems.length} problems.`,
    ...problems.slice(0, 20).map((problem) => `- **${problem}**`),
  ].join('\n')
}

function reportOf(rows: readonly string[][], load: LoadReport, machines: readonly SmallMachineReport[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = ['', ...Object.keys(FAULTS)]
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return `# Reliability

Made by \`npm run stress\` at ${commit}, on Linux ${release()}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB,
Node.js ${process.versions.node}.

## Faults and operations

Each operation ran once under each fault, which lasts until the operation is over. "done": the change is complete on disk.
"refused": the reply reports an error, and the old content is still there. "killed": after the next start, nothing is lost,
damaged or left behind. Bold cells are wrong.

${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}

## Mixed load

${describeLoad(load)}

## Small machines

A daemon in a control group with so much memory; one user asks for everything that takes memory at once, for half a minute.

${machines.map(describeMachine).join('\n\n')}
`
}
