import { isOver, type Job } from '../../domain/job.ts'
import { command, wordOf, type CommandGroup } from '../command.ts'
import { openDaemonClient } from '../daemon-client.ts'
import { drawTable } from '../table.ts'

const HEADINGS = ['ID', 'USER', 'WHAT', 'STATE', 'DONE', 'PATH', 'TO']

const list = command({
  name: 'ls',
  summary: 'List copies, moves, deletions and checksums under way and lately ended, as the daemon knows them',
  operations: ['jobs.list', 'jobs.get'],
  reads: true,
  examples: [
    ['jobs ls', "everybody's, the latest first"],
    ['jobs ls --json', 'with all facts, for scripts; exit code 7 when no daemon runs'],
  ],
  async run(invocation) {
    await using daemon = await openDaemonClient(invocation)
    const jobs = await daemon.ask<Job[]>('GET', 'api/jobs?all=true')
    const { output } = invocation
    const text = async () => await drawTable(HEADINGS, jobs.map(row), output.color)
    await output.answer({ json: jobs, ids: jobs.map(({ id }) => id), text })
  },
})

const cancel = command({
  name: 'cancel <id>',
  summary: 'Stop a job; nothing half-made is left behind',
  operations: ['jobs.cancel'],
  examples: [['jobs cancel 5Wc1RkJz0Q2hUuVb', 'whosever it is']],
  async run(invocation) {
    await using daemon = await openDaemonClient(invocation)
    const path = `api/jobs/${encodeURIComponent(wordOf(invocation))}`
    const job = await daemon.ask<Job>('GET', path)
    await daemon.ask('DELETE', path)
    const text = isOver(job) ? `the job is over already: ${job.state}` : 'the job stops'
    await invocation.output.answer({ json: { id: job.id, wasRunning: !isOver(job) }, ids: [job.id], text })
  },
})

function row({ id, userID, kind, state, progress, path, destination }: Job): string[] {
  return [id, String(userID), kind, state, doneOf(progress), path, destination ?? '']
}

function doneOf({ bytes, files, totalBytes }: Job['progress']): string {
  return totalBytes === undefined || totalBytes === 0 ? `${files} files` : `${Math.floor((100 * bytes) / totalBytes)} %`
}

export const jobs: CommandGroup = { commands: [list, cancel] }
