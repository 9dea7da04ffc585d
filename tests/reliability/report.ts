import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { FAULTS } from './faults.ts'
import type { LoadReport } from './load.ts'
import type { ModelReport } from './model/run-model.ts'
import type { SmallMachineReport } from './small-machine.ts'

const REPORT = join(import.meta.dirname, '../../docs/reference/reliability.md')
const HEAD = `# Reliability

Made by \`npm run stress\`, \`npm run stress -- model\` and \`npm run stress -- memory\`; each part says at which commit.
`

/** Each part of the report, and what it says before its results. In their order. */
const PARTS = {
  'Faults and operations': `Each operation ran once under each fault, which lasts until the operation is over. "done": the change is complete on disk.
"refused": the reply reports an error, and the old content is still there. "killed": after the next start, nothing is lost,
damaged or left behind. Bold cells are wrong.`,
  'Mixed load': 'Uploads, changes and deletions beside kills, a full data disk, and a second disk that freezes.',
  'Random operations, one daemon': `Everything that changes files, on two disks, at the same time. What was acknowledged is compared with the disk after each
disturbance: nothing may be lost, mixed, doubled or hidden.`,
  'Random operations, two daemons': 'The same, with two daemons on one PostgreSQL and the same disks.',
  'Random operations, three daemons': 'The same, with three of them.',
  'Random operations in a bucket': 'The same, in a bucket instead of on disks.',
  'Small machines': `A daemon in a control group with so much memory; one user asks for everything that takes memory at once, for half a minute.`,
} as const

export type Part = keyof typeof PARTS

/** Writes one part of docs/reference/reliability.md anew, and leaves the others as they are. */
export function writePart(part: Part, results: string): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `Linux ${release()}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}`
  const text = readFileSync(REPORT, 'utf8')
  const sections = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split('\n', 1)[0], section]),
  )
  sections.set(part, `${part}\n\n${PARTS[part]}\n\n${results}\n\nAt ${commit}, on ${machine}.\n`)
  const kept = Object.keys(PARTS).flatMap((title) => sections.get(title) ?? [])
  writeFileSync(REPORT, [HEAD, ...kept.map((section) => `## ${section.trimEnd()}\n`)].join('\n'))
}

export function describeTable(rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = ['', ...Object.keys(FAULTS)]
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function describeModel(report: ModelReport): string {
  const { minutes, daemons, seed, acknowledged, files, disturbances, problems, disagreement } = report
  const disturbed = Object.entries(disturbances).map(([name, count]) => `${count} times ${name}`)
  return [
    `${daemons} daemon(s), 16 clients for ${inTenths(minutes)} minutes, seed ${seed}: ${acknowledged} acknowledged changes, ${files} files;`,
    `${disturbed.join(', ')}; ${problems.length} problems.`,
    ...(daemons > 1 ? [`A change was known to all daemons after ${Math.round(disagreement)} ms at most.`] : []),
    ...listed(problems),
  ].join('\n')
}

export function describeLoad(load: LoadReport): string {
  const { minutes, clients, kills, fullDisk, frozenDisk, acknowledged, lost, memory, descriptors } = load
  return [
    `${clients} clients for ${minutes} minutes, ${kills} times kill -9, ${fullDisk} times a full data disk, ${frozenDisk} times a frozen second disk:`,
    `${acknowledged} acknowledged changes, ${lost.length} lost or damaged;`,
    `memory ${memory.first} MiB at first and ${memory.last} MiB at the end, descriptors ${descriptors.first} and ${descriptors.last}.`,
    ...listed(lost),
  ].join('\n')
}

export function describeMachine({ size, memory, probes, answers, problems }: SmallMachineReport): string {
  const milliseconds = (time: number) => Math.round(time)
  return [
    `${size} MiB: the daemon had ${memory.most} MiB at most, and ${memory.idle} MiB a minute later;`,
    `${probes.count} small requests took ${milliseconds(probes.median)} ms (median) and ${milliseconds(probes.slowest)} ms at most;`,
    `${Object.entries(answers)
      .map(([what, count]) => `${what} × ${count}`)
      .join(', ')}; ${problems.length} problems.`,
    ...listed(problems),
  ].join('\n')
}

/** Rounded down, so that a run that ended early does not look like a whole one. */
const inTenths = (minutes: number): number => Math.floor(minutes * 10) / 10

function listed(problems: readonly string[]): string[] {
  return problems.slice(0, 20).map((problem) => `- **${problem}**`)
}
