import { cancelJob, getJob, listJobs } from '../../../api/automation/jobs.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { isOver, type Job } from '../../../domain/automation/job.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type CommandGroup, wordOf } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'WHAT', 'STATE', 'DONE', 'PATH', 'TO']

const list = command({
  name: 'ls',
  summary: 'List running and recent jobs of the daemon',
  operations: ['jobs.list', 'jobs.get'],
  examples: [
    ['jobs ls', 'of all users, most recent first'],
    ['jobs ls --json', 'as JSON; exit code 7 if no daemon is running'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation, { needsDaemon: true })
    const jobs = await door.call(listJobs, { query: { all: true } })
    const { output } = invocation
    const text = async () => await drawTable(HEADINGS, jobs.map(row), output, ['TO', 'USER', 'WHAT'])
    const json = jobs.map(({ userID, ...job }) => ({ ...job, userId: userID }))
    await output.answer({ json, ids: jobs.map(({ id }) => id), text })
  },
})

const cancel = command({
  name: 'cancel <id>',
  summary: 'Cancel a job; partial results are removed',
  operations: ['jobs.cancel'],
  examples: [['jobs cancel 5Wc1RkJz0Q2hUuVb', 'of any user']],
  async run(invocation) {
    await using door = await openDoor(invocation, { needsDaemon: true })
    const params = { id: wordOf(invocation) }
    const job = await door.call(getJob, { params }).catch((error: unknown) => {
      if (!isFilemgrError(error, 'NOT_FOUND')) throw error
      return fail('NOT_FOUND', `there is no job "${wordOf(invocation)}"; see "filemgr jobs ls"`, {}, { cause: error })
    })
    await door.call(cancelJob, { params })
    const text = isOver(job) ? `the job had already ended: ${job.state}` : 'the job is being cancelled'
    await invocation.output.answer({ json: { id: job.id, wasRunning: !isOver(job) }, ids: [job.id], text })
  },
})

function row({ id, userID, kind, state, progress, path, destination }: Job): string[] {
  return [id, String(userID), kind, state, doneOf(progress), path, destination ?? '']
}

function doneOf({ bytes, files, totalBytes }: Job['progress']): string {
  return totalBytes === undefined || totalBytes === 0
    ? counted(files, 'file')
    : `${Math.floor((100 * bytes) / totalBytes)} %`
}

export const jobs: CommandGroup = { commands: [list, cancel] }
